# What a release says of flags and levels of factors that few rows have: from public numbers.

# The plan with `details$rare`, how many rows a flag or a level needs, and a warning where one of a declared
# factor cannot have as many, were all its levels equally frequent.
with_levels <- function(plan, method, n, terms, shape) {
  told <- method == "exponential" || method == "batches" && is.null(plan$each)
  if (length(shape$dummies) == 0 || !told) return(plan)
  p <- slope_count(terms)
  epsilon <- if (method == "batches") plan$epsilon * (1 - sum(plan$share)) else median_worth(plan)
  limits <- if (is_dyadic(plan$prior)) "dyadic" else "limits"
  rows <- if (method == "exponential") min_dummy_rows[[limits]] / epsilon
          else n * least_batch_share(plan, n, p, epsilon)
  plan$details$rare <- if (rows >= n / 2) "flags and levels need more rows than there are: they may be noise"
                       else sprintf("flags and levels that fewer than about %s rows have, %s, may be noise",
                                    grouped(signif(rows, 2)), percent_text(rows / n))
  warn <- plan$warn
  plan$warn <- function() {
    heard <- FALSE
    withCallingHandlers(warn(), dpdepth_warning_accuracy = function(w) heard <<- TRUE)
    if (!heard) warn_levels(method, plan, n, p, epsilon, max(shape$dummies))
  }
  plan
}

# As many rows of a median: a quantile's worth is less (warn_shallow()).
median_worth <- function(plan) {
  share <- if (is.null(plan$interval)) plan$epsilon / length(plan$tau) else plan$interval[[1]]$centre
  share * min(2 * pmin(plan$tau, 1 - plan$tau))
}

# The least share, to within a tenth, that batches tell but for one case in 1000.
least_batch_share <- function(plan, n, p, epsilon) {
  shares <- 0.5 * 0.9^(0:60)
  serves <- vapply(shares, function(share) {
    level_failure("batches", plan, n, p, epsilon, share, 1 - share) < min_failure
  }, NA)
  if (all(serves)) shares[[length(shares)]] else if (!serves[[1]]) 1 else shares[[which(!serves)[[1]] - 1]]
}

# With limits of 50 (a batch: of 1000) times the errors' spread, or none.
level_failure <- function(method, plan, n, p, epsilon, share, base, own = 1) {
  wide <- is_dyadic(plan$prior)
  if (method == "exponential") return(dummy_failure(n, p, epsilon, share, if (wide) dyadic_width else 50))
  dummy_batches(plan$batches, n %/% plan$batches, p + 1, epsilon, share, base, own,
                if (wide) dyadic_width else 1000)[["failure"]]
}

# Before the debit, from public numbers.
warn_levels <- function(method, plan, n, p, epsilon, dummies) {
  share <- 1 / (dummies + 1)
  if (level_failure(method, plan, n, p, epsilon, share, share, dummies) < 0.05) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %s and epsilon = %s, a flag or level that one row in %d has, as of a factor with so many",
    "levels, is likely to be noise (judged by these numbers alone). More rows, a larger epsilon%s or fewer",
    "levels would help; see plan_regression(shares =)."
  ), grouped(n), format(plan$epsilon), dummies + 1L, if (is_dyadic(plan$prior)) ", limits" else ""))
}
