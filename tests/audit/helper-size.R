# Calls that are refused, of data of any size: what is wrong with the data, and under whatever name they come.

# Each an argument's name for the data, the function and what else it takes.
column_doors <- list(
  median = list("x", dp_median, lower = 0, upper = 10),
  marginal = list("x", dp_median, lower = 0, upper = 10, method = "marginal"),
  quantile = list("x", dp_quantile, probs = c(0.25, 0.5), lower = 0, upper = 10),
  mean = list("x", dp_mean, lower = 0, upper = 10), histogram = list("x", dp_histogram, breaks = 0:10),
  levels = list("x", dp_histogram, levels = c("a", "b")), depth = list("data", dp_depth, points = 1),
  mestimate = list("x", dp_mestimate, delta = 1e-6, lower = 0, upper = 10, scale = 1),
  scale = list("x", dp_scale, lower = 0, upper = 10),
  test = list("x", dp_test), pairs = list("x", dp_test, y = numeric(5), paired = TRUE),
  others = list("y", dp_test, x = numeric(5), paired = TRUE)
)
frame_doors <- list(
  median = list("x", dp_median, lower = 0, upper = 10), mean = list("x", dp_mean, lower = 0, upper = 10),
  region = list("x", dp_region, level = 0.5, lower = 0, upper = 10),
  depth = list("data", dp_depth, points = cbind(1, 1), lower = 0, upper = 10),
  mestimate = list("x", dp_mestimate, delta = 1e-6, lower = 0, upper = 10, scale = 1),
  regression = list("data", dp_regression, formula = y ~ x, lower = -9, upper = 9),
  fit = list("data", dp_mestimate, x = y ~ x, delta = 1e-6, lower = -9, upper = 9, scale = 1),
  trend = list("data", dp_test, x = y ~ x) # n is public
)
private_frames <- frame_doors[names(frame_doors) != "trend"]
# dp_by() has private groups by itself, in which n is private.
group_doors <- list(
  by = list("x", dp_by, by = ~x, levels = 0:4, release = dp_median, lower = 0, upper = 10),
  fits = list("data", dp_by, x = y ~ x, by = rep_len(1:2, 5), levels = 1:2, release = dp_regression,
              lower = -9, upper = 9)
)
persons_doors <- list(
  ecdf = list("x", dp_ecdf, lower = 0, upper = 10), interior = list("x", dp_interior_point, delta = 1e-6),
  tally = list("tbl", dp_tally, lower = 0, upper = 10)
)

# `more` replaces what the door has.
call_door <- function(door, data, more) {
  args <- c(stats::setNames(list(data), door[[1]]), epsilon = 1, door[-(1:2)])
  if (identical(door[[2]], dp_tally)) args$epsilon <- NULL
  args[names(more)] <- more
  do.call(door[[2]], args, quote = TRUE)
}

good_rows <- function(n) data.frame(y = seq_len(n) / 7, x = rev(seq_len(n)) %% 5)

registerS3method("as.double", "audit_failing", function(x, ...) stop("of ", length(x), ": ", x[[1]]))
registerS3method("as.double", "audit_talking", function(x, ...) {
  warning("of ", length(x), ": ", x[[1]])
  message("of ", length(x), ": ", x[[1]])
  as.double(unclass(x))
})

# What a column of numbers may be made.
bad_columns <- list(
  text = as.character, factor = function(y) factor(1 + seq_along(y) %% 3, 1:3), list = as.list,
  complex = as.complex, missing = function(y) replace(y, 1, NA), infinite = function(y) replace(y, 1, Inf),
  dates = function(y) as.Date("2020-01-01") + y, raw = function(y) as.raw(y %% 200),
  array = function(y) array(y, c(length(y), 1, 1)), matrix = function(y) matrix(as.character(y), ncol = 1),
  nothing = function(y) rep(NA_character_, length(y)),
  failing = function(y) structure(y, class = "audit_failing"),
  talking = function(y) structure(replace(y, 1, NA), class = "audit_talking"),
  whole = function(y) structure(y, class = "integer64"),
  times = function(y) as.POSIXlt(y, origin = "1970-01-01", tz = "UTC")
)

# The same as one of a frame's columns; and what else a frame may be.
bad_frames <- c(
  lapply(bad_columns, function(spoil) {
    function(rows) {
      structure(list(y = spoil(rows$y), x = rows$x), class = "data.frame", row.names = seq_len(nrow(rows)))
    }
  }),
  list(
    long = function(rows) structure(rows, row.names = seq_len(nrow(rows) + 3L)),
    short = function(rows) structure(rows, row.names = 1L), list_of = as.list, bare = as.matrix,
    texts = function(rows) vapply(rows, as.character, character(nrow(rows))),
    unnamed = function(rows) structure(rows, names = NULL),
    twice = function(rows) stats::setNames(rows, c("y", "y")), code = function(rows) function() rows,
    none = function(rows) NULL
  )
)

# `more(n)`: further arguments. Functions of n, by name.
bad_calls <- function(doors, spoils, of = function(n) good_rows(n), more = function(n) list()) {
  both <- expand.grid(door = names(doors), spoil = names(spoils), stringsAsFactors = FALSE)
  calls <- Map(function(door, spoil) {
    function(n) call_door(doors[[door]], spoils[[spoil]](of(n)), more(n))
  }, both$door, both$spoil)
  stats::setNames(calls, paste(both$door, both$spoil, sep = ", "))
}

# Data under the name of another argument.
misplaced_calls <- function(doors, of, more) {
  args <- c("epsilon", "lower", "na", "resolution", "rng", "ledger", "id", "neighbours")
  both <- expand.grid(door = names(doors), arg = args, stringsAsFactors = FALSE)
  calls <- Map(function(door, arg) {
    function(n) {
      call_door(doors[[door]], of(n), utils::modifyList(more, stats::setNames(list(of(n + 1)), arg)))
    }
  }, both$door, both$arg)
  stats::setNames(calls, paste(both$door, both$arg, sep = ", "))
}

# All that a call says.
said_by <- function(call) {
  said <- character()
  note <- function(c) said <<- c(said, paste(class(c)[[1]], conditionMessage(c)))
  suppressMessages(suppressWarnings(withCallingHandlers(
    tryCatch({
      call()
      NULL
    }, error = note), warning = note, message = note
  )))
  said
}

# The calls whose words depend on the size, or whose conditions are not the package's own.
telling <- function(calls, sizes) {
  told <- vapply(calls, function(call) {
    said <- lapply(sizes, function(n) said_by(function() call(n)))
    length(unique(said)) > 1 || !all(grepl("^dpdepth_", unlist(said)))
  }, NA)
  names(calls)[told]
}

column_of_size <- function(n) good_rows(n)$y
between <- list(neighbours = "add_remove")
# as many persons whatever n is, which is public with "substitution"
ids_of_size <- function(n) list(id = rep_len(1:2, n))

size_calls <- function() {
  c(bad_calls(column_doors, bad_columns, column_of_size, function(n) between),
    bad_calls(private_frames, bad_frames, more = function(n) between),
    bad_calls(column_doors[c("pairs", "others")], list(good = identity), column_of_size, function(n) between),
    bad_calls(group_doors["by"],
              bad_frames[c("long", "short", "text", "list", "failing", "talking", "twice")]),
    bad_calls(group_doors["fits"], bad_frames))
}

person_calls <- function() {
  columns <- c(column_doors, persons_doors)
  c(bad_calls(columns, bad_columns, column_of_size, ids_of_size),
    bad_calls(c(frame_doors, persons_doors["tally"]), bad_frames, more = ids_of_size),
    # and what ids may be
    bad_calls(columns, list(longer = identity), column_of_size, function(n) list(id = seq_len(n + 1))),
    bad_calls(frame_doors, list(more = identity), more = function(n) list(id = seq_len(n + 1))),
    bad_calls(c(columns, frame_doors), list(list = identity), more = function(n) list(id = as.list(1:n))),
    bad_calls(c(columns, frame_doors), list(matrix = identity),
              more = function(n) list(id = cbind(1:n, 1:n))))
}
