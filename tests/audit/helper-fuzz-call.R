# The privacy audit's fuzzing: its calls, their log, and what is allowed to come of them.

# Arguments: most are good, some nasty, few left out.
fuzz_arguments <- function(arguments, ledger) {
  nasty <- pick(c(0, 0, 0.1, 0.4))
  values <- Map(function(pool, name) {
    if (stats::runif(1) < nasty && !identical(pool, "result")) {
      value <- pick(fuzz_objects(if (is.character(pool) && pool %in% fuzz_data) canary else 0.25))
      # errors of a function that ptr() or an audit calls are that function's
      if (!is.function(value) || !name %in% c("release", "mechanism")) return(value)
    }
    if (identical(pool, "ledger")) return(ledger)
    (if (is.function(pool)) pool else fuzz_pools[[pool]])()
  }, arguments, names(arguments))
  if (identical(arguments[[1]], "result")) return(values)
  # the defaults of these are many
  kept <- names(values) %in% c("directions", "steps", "chains", "simulate")
  values <- values[kept | stats::runif(length(values)) >= pick(c(0, 0, 0.2))]
  # what no function takes, by name and without
  strange <- pick(list(NULL, NULL, NULL, list(weights = fuzz_numbers(5)), list(fuzz_numbers(3))))
  # what has no name would be the points, which are public
  if ("points" %in% setdiff(names(arguments), names(values))) return(values)
  c(values, strange)
}

# Was private data passed as a public argument, to which what has no name goes? A release may hold it then, a
# message may not.
published <- function(fun, values, arguments) {
  taken <- setdiff(names(formals(fun)), c(names(values), "..."))
  "" %in% names(values) && length(taken) > 0 && !isTRUE(arguments[[taken[[1]]]] %in% fuzz_data)
}

spent_of <- function(ledger) nrow(as.data.frame(ledger))

# Calls in `make test`.
fuzz_rounds <- 800

# What is strange of so many calls, of which each has its number as the seed: set.seed(i) and
# fuzz_call(name, table[[name]]) repeat it. `log`: a file with a line for each call, of which the first words
# are written before it is made. A run that was broken off goes on with the call that it was in, and
# with the next where that was begun twice. `looks`: for a call, see looks_limit().
fuzz_run <- function(table, rounds, log = NULL, looks = Inf) {
  write <- function(...) if (!is.null(log)) cat(..., sep = "", file = log, append = TRUE)
  known <- if (!is.null(log) && file.exists(log)) readLines(log, warn = FALSE) else character()
  number <- as.integer(sub("call ([0-9]+):.*", "\\1", known))
  broken <- number[endsWith(known, "()")]
  twice <- broken[duplicated(broken)]
  last <- max(0L, number)
  first <- if (last %in% broken && !last %in% twice) last else last + 1
  told <- c(grep("(): ", known, fixed = TRUE, value = TRUE),
            sprintf("call %d: %s(): did not end", twice, fuzz_name(table, twice)))
  if (last %in% broken) write("\n")
  for (i in seq_len(max(0, rounds - first + 1)) + first - 1) {
    name <- fuzz_name(table, i)
    label <- sprintf("call %d: %s()", i, name)
    write(label)
    set.seed(i)
    found <- fuzz_call(name, table[[name]], looks)
    strange <- gsub("\n", " ", paste(found$strange, collapse = "; "), fixed = TRUE)
    if (is.null(found)) write(" as promised\n") else write(": ", strange, "\n")
    if (!is.null(found)) told <- c(told, paste0(label, ": ", strange))
    if (is.null(log) && length(told) >= 10) break
  }
  told
}

fuzz_name <- function(table, i) names(table)[1 + i %% length(table)]

# Beside the results that tools/audit.sh keeps.
fuzz_log <- function() {
  kept <- Sys.getenv("TESTTHAT_KEEP")
  if (nzchar(kept)) file.path(kept, "fuzz calls")
}

# Most looks of a call in an audit: a hundred times what the first 3,000 calls take at most.
fuzz_looks <- 1e6

# What sets the looks for events after which R gives an error, and says how many were left by looks.c.
# Loops of R make them, and kernels, which look for an interrupt there.
looks_limit <- function() {
  if (is.null(looks_made$limit)) {
    folder <- tempfile("looks")
    dir.create(folder)
    file.copy(file.path("..", "audit", "looks.c"), folder)
    built <- file.path(folder, paste0("looks", .Platform$dynlib.ext))
    compile <- c("CMD", "SHLIB", "-o", built, file.path(folder, "looks.c"))
    system2(file.path(R.home("bin"), "R"), compile, stdout = FALSE, stderr = FALSE)
    looks_made$limit <- getNativeSymbolInfo("limit_looks", dyn.load(built))
  }
  function(most) .Call(looks_made$limit, most)
}
looks_made <- new.env(parent = emptyenv())

# What is wrong with what came of one call, or NULL.
fuzz_call <- function(name, arguments, looks = Inf) {
  ledger <- dp_ledger(1e6, 0.999)
  # a function where a method takes arguments of its own
  if (is.function(arguments)) arguments <- arguments()
  values <- fuzz_arguments(arguments, ledger)
  fun <- getExportedValue("dpdepth", name)
  strange <- NULL
  limit <- if (is.finite(looks)) looks_limit() else function(most) 0
  limit(looks)
  out <- tryCatch(
    withCallingHandlers(do.call(fun, values, quote = TRUE), warning = function(w) {
      if (!inherits(w, "dpdepth_warning")) strange <<- paste("a warning:", conditionMessage(w))
      tryInvokeRestart("muffleWarning")
    }, message = function(m) strange <<- paste("a message:", conditionMessage(m))),
    error = identity
  )
  strange <- c(strange, if (limit(Inf) < 0) sprintf("took more than %g looks", looks)
                        else if (inherits(out, "error")) strange_error(out, ledger)
                        else strange_value(out, published(fun, values, arguments)))
  if (length(strange) > 0) list(name = name, strange = strange, values = values)
}

strange_error <- function(e, ledger) {
  text <- conditionMessage(e)
  c(if (!inherits(e, "dpdepth_error")) paste("an error without a class:", text),
    if (inherits(e, "dpdepth_error_internal")) paste("an internal error:", text),
    if (grepl(canary_text, paste(c(text, deparse(unclass(e))), collapse = " "), fixed = TRUE) &&
        inherits(e, "dpdepth_error")) paste("data in a message:", text),
    if (inherits(e, "dpdepth_error_input") && spent_of(ledger) > 0) paste("spent, then refused:", text))
}

strange_value <- function(out, published) {
  if (!inherits(out, "dp_release") || identical(out$epsilon >= 100, TRUE)) return(NULL)
  bytes <- serialize(out, NULL, xdr = FALSE)
  kept <- paste(deparse(out$call), collapse = " ")
  held <- length(grepRaw(writeBin(canary, raw(), endian = "little"), bytes, fixed = TRUE)) > 0
  c(if (held && !published || grepl(canary_text, kept, fixed = TRUE)) "data in a release",
    if (!all(is.finite(out$estimate)) && out$released) "an estimate that is not finite")
}
