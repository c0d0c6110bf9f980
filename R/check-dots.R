# The names in a call: what a function does not take is refused here, since R's own errors show values.
#
# Every exported function has `...`, so that R finds a place for all that it is given, and begins with
# check_given(), which refuses what it finds there. An error shows a name and never a value.

# Refuses what the caller's call holds beyond its arguments: names that it lacks, values without a name that
# are too many, and abbreviations. `further`: names that `...` may hold; with check_dots() a caller looks
# again when it knows which of these it takes.
check_names <- function(frame, fun, call, further = character()) {
  known <- names(formals(fun))
  known <- known[known != "..."]
  in_dots <- dots_names(frame)
  refuse_strange(in_dots[!in_dots %in% further], c(known, further), function_name(call))
  # (R itself refuses only arguments of which it knows; of these the first would win)
  twice <- in_dots[duplicated(in_dots)]
  if (length(twice) > 0) stop_input(twice[[1]], "given once", "given twice")
  # what R matched by the beginning of a name
  given <- names(call)
  given <- given[!given %in% c("", known, in_dots)]
  if (length(given) > 0) {
    refuse_name(given[[1]], c(known, further), function_name(call),
                paste0(name_hint(given[[1]], c(known, further)), " Write names of arguments in full."))
  }
}

# The names in the caller's `...` must be among `further`; `of`: the call to name, such as "dp_median()".
check_dots <- function(further, of) {
  frame <- parent.frame()
  known <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  refuse_strange(setdiff(dots_names(frame), further), c(known, further), of)
}

dots_names <- function(frame) {
  if (!exists("...", frame, inherits = FALSE)) return(character())
  count <- eval(quote(...length()), frame)
  if (count == 0) return(character())
  names <- eval(quote(...names()), frame)
  if (is.null(names)) names <- character(count)
  names[is.na(names)] <- ""
  names
}

# (`known` and `of` are made for those who fail only.)
refuse_strange <- function(strange, known, of) {
  if (length(strange) > 0) refuse_name(strange[[1]], known, of)
}

# `of` may be a door to methods that have functions of their own, and the name that of one of these.
refuse_name <- function(name, known, of, mend = name_hint(name, known)) {
  owners <- if (is_plain_name(name)) owners_of(name, of)
  text <- if (length(owners) > 0) {
    sprintf("`%s` is an argument of %s, not of %s.", name, paste(owners, collapse = " and "), of)
  } else {
    shown <- if (is_plain_name(name)) sprintf("`%s` is not an argument of", name)
             else if (nzchar(name)) "A name that is not syntactic is not an argument of"
             else "A value without a name is one too many for"
    sprintf("%s %s.%s", shown, of, mend)
  }
  stop_dpdepth("input", text, arg = if (is_plain_name(name)) name else "...")
}

# The functions of a door's methods that have an argument of this name; any of these releases by group.
owners_of <- function(name, of) {
  if (name %in% names(formals(getExportedValue("dpdepth", "dp_regression")))) return(NULL)
  doors <- if (of == "`dp_by()`") "^dp_(median|regression)_" else sub("^`(.*)\\(\\)`$", "^\\1_", of)
  methods <- sort(grep(doors, getNamespaceExports("dpdepth"), value = TRUE))
  has <- vapply(methods, function(method) name %in% names(formals(getExportedValue("dpdepth", method))), NA)
  sprintf("`%s()`", methods[has])
}

# The known name that is meant, if one is much like it.
near_name <- function(name, known) {
  if (!is_plain_name(name)) return(NULL)
  apart <- drop(utils::adist(name, known, ignore.case = TRUE))
  near <- startsWith(known, name) | apart <= 2 & 2 * apart < nchar(name)
  known[near][which.min(apart[near])]
}

# What users of other functions look for.
name_hint <- function(name, known) {
  hint <- switch(name,
    na.rm = , na.action = "Drop rows with missing values first, with `na.omit()`.",
    weights = "Rows have no weights here.",
    subset = "Take the subset of the rows first.",
    d = if ("p" %in% known) "The number of regressors is `p`.",
    p = if ("d" %in% known) "The number of variables is `d`.",
    formula = if ("data" %in% known) "Give the formula as the first argument.",
    neighbours = "Its privacy is proved for data sets of one size, in which a row is replaced.",
    seed = if ("rng" %in% known) {
      "Secret noise has no seed; for a simulation, `rng = \"R\"` takes R's stream and set.seed()."
    }
  )
  if (!is.null(hint)) return(paste0(" ", hint))
  near <- near_name(name, known)
  if (length(near) > 0) sprintf(" Did you mean `%s`?", near) else ""
}

# As in a message: `f()`. A function that is called under another name, or as an object, is not named.
function_name <- function(call) {
  head <- call[[1]]
  if (is.call(head) && length(head) == 3 && is.name(head[[3]])) head <- head[[3]]
  if (is.name(head) && as.character(head) %in% getNamespaceExports("dpdepth")) {
    return(sprintf("`%s()`", as.character(head)))
  }
  "this function"
}
