# The cells of a simulation's design, their keys, and the functions by which a replicate is made.

# Columns of results, and what functions of a simulation are given besides the factors.
simulation_names <- c("cell", "replicate", "measure", "term", "value", "status", "rows", "release", "truth")

# The design as cells, a row each without the columns `estimate` and `replicates`; and for each its key, how
# many replicates it has, and which estimates. Rows that differ in `estimate` alone are one cell.
simulation_design <- function(design, laws, estimates, replicates) {
  table <- design_table(design)
  if (!is.null(laws) && is.null(table$law)) {
    table <- merge(table, data.frame(law = laws), by = NULL)
  }
  check_registered(table$law, laws, "law", "draw")
  asked <- table$estimate
  check_registered(asked, estimates, "estimate", "estimate")
  times <- if (is.null(table$replicates)) rep_len(replicates, nrow(table)) else table$replicates
  own <- table[setdiff(names(table), c("estimate", "replicates"))]
  key <- cell_keys(own)
  twice <- duplicated(if (is.null(asked)) key else paste(key, asked))
  if (any(twice)) {
    stop_input("design", "made of distinct cells", "with a cell that occurs twice",
               "Ask for more `replicates` of it instead.")
  }
  first <- which(!duplicated(key))
  same <- match(key, key[first])
  if (any(times != times[first][same])) {
    stop_input("design", "a design with one number of `replicates` for all estimates of a cell",
               "one with several")
  }
  sets <- if (is.null(asked)) rep_len(list(estimates), length(first))
          else unname(split(asked, factor(same, seq_along(first))))
  cells <- own[first, , drop = FALSE]
  row.names(cells) <- NULL
  list(cells = cells, key = key[first], replicates = as.integer(times[first]), sets = sets)
}

# Factors crossed, or cells as they are, in columns of text, numbers or flags.
design_table <- function(design) {
  if (!is.list(design)) stop_input("design", "a data frame of cells, or a list of factors", describe(design))
  if (length(design) > 0) check_factor_names(names(design))
  for (name in names(design)) {
    values <- design[[name]]
    plain <- is.factor(values) || !is.object(values) && is.null(dim(values)) &&
      (is.numeric(values) || is.character(values) || is.logical(values))
    if (!plain || length(values) == 0) {
      stop_input("design", "made of factors that are vectors of text, numbers or flags",
                 sprintf("with `%s`, which is %s", name, describe(values)),
                 "Name functions and other objects by text, and look them up in `draw` and `estimate`.")
    }
    if (is.factor(values)) design[[name]] <- as.character(values)
  }
  table <- if (is.data.frame(design)) design
           else if (length(design) == 0) data.frame(row.names = 1L)
           else expand.grid(design, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  if (nrow(table) == 0) stop_input("design", "a design with at least one cell", "an empty one")
  times <- table$replicates
  if (!is.null(times) && !all(is.finite(times) & times == round(times) & times >= 1 & times < 2^31)) {
    stop_input("design", "a design with whole numbers of at least 1 in `replicates`", "one with other values")
  }
  as.data.frame(table)
}

check_factor_names <- function(names) {
  good <- !is.null(names) && !anyNA(names) && !anyDuplicated(names) && all(make.names(names) == names)
  if (!good) {
    stop_input("design", "made of factors with distinct syntactic names", "of factors with other names",
               "Each is an argument of the functions that are given.")
  }
  taken <- intersect(names, simulation_names)
  if (length(taken) > 0) {
    stop_input("design", "made of factors with other names than the results' own columns",
               sprintf("with %s", quote_names(taken)), "Rename the factor.")
  }
}

# What a column of the design names must be there.
check_registered <- function(asked, known, column, arg) {
  if (is.null(asked) || is.null(known)) return(invisible(NULL))
  strange <- setdiff(asked, known)
  if (length(strange) > 0) {
    stop_input(arg, sprintf("a list with a function for each `%s` of the design", column),
               sprintf("one without %s", dQuote(short_text(strange[[1]]), FALSE)))
  }
}

# A function, or functions by name; `single`: the name of one that is given alone. NULL as names: a function
# for all cells.
check_functions <- function(functions, arg, single) {
  if (is.function(functions)) return(stats::setNames(list(functions), single))
  good <- is.list(functions) && length(functions) > 0 && all(vapply(functions, is.function, NA))
  if (!good) stop_input(arg, "a function, or a list of functions with names", describe(functions))
  names <- names(functions)
  if (is.null(names) || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    stop_input(arg, "a list in which each function has a name of its own",
               "one in which some lack a name or share one")
  }
  functions
}

# -- keys ----------------------------------------------------------------------------------------------

# The key of each cell: a hash of its factors' names and values, whatever their order and whether a whole
# number is stored as one. Lengths go before texts, so that no two cells have one text.
cell_keys <- function(cells) {
  names <- sort(names(cells), method = "radix")
  text <- rep_len("", nrow(cells))
  for (name in names) text <- paste0(text, sized(name), sized(value_text(cells[[name]])))
  vapply(text, sha256_text, "", USE.NAMES = FALSE)
}

sized <- function(text) sprintf("%d:%s", nchar(text, "bytes"), text)

value_text <- function(v) {
  if (is.character(v)) return(ifelse(is.na(v), "text NA", paste0("text=", enc2utf8(v))))
  if (is.logical(v)) return(paste("flag", v))
  # without the sign of zero; 17 digits distinguish doubles
  sprintf("number %.17g", as.double(v) + 0)
}

# The key of a function: its code, not what it calls or encloses.
function_key <- function(f) {
  code <- deparse(f, control = c("keepNA", "keepInteger", "digits17"))
  sha256_text(paste(enc2utf8(code), collapse = "\n"))
}

sha256_text <- function(text) paste(sha256(text), collapse = "")

sha256 <- function(text) .Call(ffi_sha256, charToRaw(enc2utf8(text)))
