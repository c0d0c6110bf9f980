# One way of every release: rows -> facts -> plan -> cautions -> debit -> draw -> release.
#
# METHOD: a door gives what it was called with to release_by(), and the mechanism does the rest. What is
#   public of the rows is in `facts`; the plan is made of public numbers alone, and may refuse. Cautions are
#   raised and recorded, and the ledger is debited. From there on only draw() sees rows, and what fails there
#   fails with one constant text.
#   Rows are chosen before all that, see R/pipeline-rows.R.

# A mechanism, a list of:
#   neighbours   the relations for which it is proved
#   kinds        of data that it takes: rows, tally, margins, cells, projections
#   data         the argument that has the rows; a function of what was given where that differs
#   read(given)  the rows as they are counted, checked: PRIVATE
#   facts(rows, given)   what is public of them
#   choose(facts, given) NULL, or another mechanism that goes on from here
#   plan(facts, given)   public: a list with label, mechanism, what; and, where they differ from a pure
#     release of all of epsilon, delta, rho, guarantee; with terms (names of the estimate), details, class (of
#     the release), warn (a function of warned_numbers()), and what draw() wants
#   ready(rows, plan)    the rows as draw() wants them; may refuse by public sizes
#   draw(rows, plan, source)   a list with estimate, and interval, details, released, exact where there are
#     any. PRIVATE: rows; no other function sees them after the debit
#   finish(release, plan, drawn)   further fields
#   incomplete(x, given) which rows lack a value; NULL: missing values are the mechanism's own affair
#   keep(mechanism, given)   what was given, with the rows that are chosen by `id` and `na`
#   limits       are limits and steps of a tally those of the call? Or a function of what was given
#   typed        is a step those of integer and logical columns where `resolution` says "type"?
#   na_text(na), persons(given)   what the release says of missing values, and of a tally's ids
new_mechanism <- function(plan, draw, kinds = c("rows", "tally"), neighbours = neighbour_kinds, data = "x",
                          read = read_rows, facts = facts_of, choose = NULL,
                          ready = function(rows, plan) rows,
                          finish = function(release, plan, drawn) release, keep = keep_rows,
                          incomplete = function(x, given) incomplete_rows(x, given$arg), limits = TRUE,
                          typed = TRUE, na_text = na_detail,
                          persons = function(given) persons_detail(given[[given$arg]])) {
  as.list(environment())
}

# What the door that calls was given: its arguments that are not missing, and its call, of which new_release()
# takes the data out. Refuses names that it has not; `further`: those that its `...` may hold. `data`:
# arguments with data, of which the first may be a column, as d$wage is.
door_call <- function(data = "x", further = character()) {
  frame <- parent.frame()
  door <- sys.function(sys.parent())
  call <- sys.call(sys.parent())
  check_call(frame, door, call, further)
  known <- setdiff(names(formals(door)), "...")
  matched <- match.call(door, call, envir = parent.frame(2))
  about <- list(known = known, further = dots_names(frame), door = gsub("`", "", function_name(call, door)),
                column = column_name(matched[[data[[1]]]]), subject = subject_name(matched[[data[[1]]]]))
  list(given = c(arguments_in(frame, door), about), call = matched, data = c(data, "id"))
}

# The name in d$wage and d[["wage"]]; NULL of anything else, which is never evaluated.
column_name <- function(code) {
  if (!is.call(code) || length(code) != 3) return(NULL)
  dollar <- identical(code[[1]], quote(`$`))
  place <- code[[3]]
  if (dollar && is.name(place)) place <- as.character(place)
  named <- (dollar || identical(code[[1]], quote(`[[`))) && is.character(place) && length(place) == 1
  if (named && !is.na(place) && nzchar(place)) short_text(place)
}

# The name of a variable, which stays in the call, too.
subject_name <- function(code) if (is.name(code)) as.character(clean_data(code))

# What a function was given, without what is missing.
arguments_in <- function(frame, fun) {
  names <- setdiff(names(formals(fun)), "...")
  given <- mget(names, frame)
  here <- vapply(names, function(name) !identical(given[[name]], formals(function(none) NULL)$none), NA)
  c(given[here], if (exists("...", frame, inherits = FALSE)) eval(quote(list(...)), frame))
}

release_by <- function(mechanism, door) {
  given <- checked_given(mechanism, door$given)
  source <- check_rng(given$rng)
  if (given$omitted || given$kept) given <- chosen_rows(mechanism, given)
  ready <- if (is.null(given$whole)) planned_release(mechanism, given)
           else refused_as_omitted(planned_release(mechanism, given))
  paid <- debit(given$ledger, ready$plan, ready$facts, given, source)
  drawn <- drawn_alone(ready$mechanism$draw(ready$rows, ready$plan, source), source)
  built_release(ready, drawn, paid, given, door)
}

# The budget, and what a tally brings along.
checked_given <- function(mechanism, given) {
  given$epsilon <- check_epsilon(given$epsilon)
  # (NULL is refused where the door has the argument)
  if ("delta" %in% names(given)) given$delta <- check_delta(given$delta, zero = TRUE)
  given$private <- "neighbours" %in% names(given) && check_neighbours(given$neighbours)
  given$neighbours <- neighbour_kinds[[1 + given$private]]
  given$arg <- if (is.function(mechanism$data)) mechanism$data(given) else mechanism$data
  given$margins <- "margins" %in% mechanism$kinds
  x <- check_kind(given[[given$arg]], mechanism$kinds, given)
  given$persons <- mechanism$persons(given)
  given$omitted <- leaves_out(mechanism, x, given$na)
  given$kept <- !is.null(given$id)
  if (!(if (is.function(mechanism$limits)) mechanism$limits(given) else mechanism$limits)) return(given)
  limits <- tally_limits(x, given$lower, given$upper, given$prior)
  given[c("lower", "upper")] <- limits[c("lower", "upper")]
  given
}

# Where rows are left out n is private: other mechanisms refuse that.
leaves_out <- function(mechanism, x, na) {
  if (!"add_remove" %in% mechanism$neighbours) return(FALSE)
  is_omitted(x) || !is.null(mechanism$incomplete) && identical(na, "omit")
}

# The rows, what is public of them, and the plan of the mechanism or of that which it chooses.
planned_release <- function(mechanism, given) {
  # before rows are looked at: a refusal that comes anyway must not depend on them
  if (!given$neighbours %in% mechanism$neighbours) refuse_private_size("this release")
  if (given$private && !is.null(given$interval)) refuse_private_size("an interval")
  # (of the columns without ids)
  if (is.character(given$resolution) && mechanism$typed) {
    given["resolution"] <- list(typed_resolution(given$resolution, given[[given$arg]]))
  }
  rows <- mechanism$read(given)
  facts <- mechanism$facts(rows, given)
  chosen <- if (is.null(mechanism$choose)) mechanism else mechanism$choose(facts, given)
  if (!"margins" %in% chosen$kinds) refuse_margins(rows, given$arg)
  plan <- chosen$plan(facts, given)
  if (!is.null(given$most)) plan["warn"] <- list(warned_by_all(chosen, facts, given, plan$warn))
  list(rows = chosen$ready(rows, plan), facts = facts, mechanism = chosen, plan = plan)
}

# Where rows are left out, how many are complete is private, but not how many there are: cautions are those of
# all rows, where these are fewer than what stands for a private number.
warned_by_all <- function(mechanism, facts, given, warn) {
  if (!isTRUE(given$most < facts$n)) return(warn)
  # what so few rows would be refused for is no matter of how many are complete
  few <- tryCatch(suppressWarnings(mechanism$plan(replace(facts, "n", given$most), given),
                                   classes = "dpdepth_warning_time"),
                  dpdepth_error_input = function(e) NULL)
  if (is.null(few)) warn else few$warn
}

facts_of <- function(rows, given) {
  own <- is.null(given$column) || ncol(rows) > 1 || !is.null(colnames(rows))
  c(list(n = if (given$private) private_size else nrow(rows), d = ncol(rows), names = names_of(rows),
         variables = if (own) variable_names(rows) else given$column, private = given$private),
    kind_facts(rows))
}

# Of data that a plan is for.
planned_facts <- function(n, d, private = FALSE) {
  list(n = n, d = d, names = character(), variables = variable_names(matrix(0, 1, d)), private = private)
}

# Rows as check_data() gives them, or a tally; with a public row where n is private.
read_rows <- function(given) checked_rows(given[[given$arg]], given, public_row = given$private)

# For mechanisms that have a distribution without any row.
read_bare <- function(given, max_d = Inf) checked_rows(given[[given$arg]], given, max_d = max_d)

# -- cautions and the debit --------------------------------------------------------------------------

# What is said of accuracy stays with the release. Nothing is spent before, and all of it here.
debit <- function(ledger, plan, facts, given, source) {
  # (by [[: a plan's own fields may begin with these names)
  delta <- plan[["delta"]]
  whole <- list(epsilon = given$epsilon, delta = if (is.null(delta)) 0 else delta, rho = plan[["rho"]])
  if (!is.null(given$whole)) whole <- two_steps_cost(given$whole, whole)
  guarantee <- if (!is.null(plan$guarantee)) plan$guarantee
               else if (whole$delta > 0) "approximate" else "pure"
  caution <- accuracy_warnings({
    warn_hopeless(facts$n, whole$epsilon, whole$delta, source)
    if (!is.null(plan$warn)) plan$warn(warned_numbers(whole$epsilon, facts$private))
  })
  ledger_spend(ledger, whole$epsilon, whole$delta, entry_text(plan$label, facts, given), guarantee, whole$rho)
  c(whole[c("epsilon", "delta")],
    list(guarantee = guarantee, rng = source, caution = caution,
         neighbours = if (is.null(given$whole)) given$neighbours else "substitution"))
}

# An entry of a ledger: the door, and of what the release is, by public names.
entry_text <- function(label, facts, given) {
  if (is.null(given$door)) return(label)
  formula <- Find(function(part) inherits(part, "formula"), given[c("formula", "x")])
  names <- if (length(facts$names) > 0) facts$names else c(given$column, given$subject)
  of <- if (!is.null(formula)) call_text(clean_call(formula))
        else c(vapply(utils::head(names, 3), short_text, ""), if (length(names) > 3) "...")
  sprintf("%s: %s", sub("()", sprintf("(%s)", toString(of)), given$door, fixed = TRUE), label)
}

# Of one replaced row, where each step costs `each`.
two_steps_cost <- function(whole, each) {
  list(epsilon = whole$epsilon, delta = if (each$delta > 0) whole$delta else 0,
       rho = if (!is.null(each$rho)) 4 * each$rho)
}

# A failure of a draw could depend on rows: but for those of the machine it has one text. Nor does a warning
# get out. In a simulation, where nothing is promised, all are shown.
drawn_alone <- function(draw, source) {
  if (source == "R") return(draw)
  tryCatch(suppressMessages(suppressWarnings(draw)), error = function(e) {
    if (inherits(e, c("dpdepth_error_entropy", "dpdepth_error_memory", "dpdepth_error_database"))) stop(e)
    stop_dpdepth("internal", paste(
      "The draw failed, after the budget was spent: nothing was released. Please report the call.",
      "Made-up data and rng = \"R\" show the failure."
    ))
  })
}

# -- the release -------------------------------------------------------------------------------------

built_release <- function(ready, drawn, paid, given, door) {
  plan <- ready$plan
  facts <- ready$facts
  rho <- plan$details[["rho"]]
  if (!is.null(rho) && !is.null(given$whole)) plan$details$rho <- 4 * rho
  terms <- if (!is.null(drawn$terms)) drawn$terms
           else if (!is.null(plan$terms)) plan$terms else facts$variables
  release <- new_release(
    stats::setNames(drawn$estimate, terms), paid, n = if (facts$private) NA else facts$n, d = facts$d,
    mechanism = if (is.null(drawn$mechanism)) plan$mechanism else drawn$mechanism,
    exact = !isFALSE(drawn$exact), released = !isFALSE(drawn$released), gamma = plan[["gamma"]],
    call = door$call, data = door$data, interval = drawn$interval,
    details = c(plan["what"][!is.null(plan$what)], plan$details, drawn$details,
                said_of_rows(ready$mechanism, given))
  )
  class(release) <- c(plan$class, class(release))
  ready$mechanism$finish(release, plan, drawn)
}

# Of missing values, ids and rows that were left out. A tally's rows have been looked at for missing values.
said_of_rows <- function(mechanism, given) {
  na <- if (!"na" %in% names(given$persons)) given[["na"]]
  c(if (!is.null(na) && !identical(na, "fail")) mechanism$na_text(na),
    given$persons[setdiff(names(given$persons), if (given$omitted) "na")],
    if (given$omitted) list(na = omitted_text), if (given$kept) list(id = persons_text))
}
