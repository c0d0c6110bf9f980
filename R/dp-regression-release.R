# The release that dp_regression() makes of what a method has drawn.

regression_release <- function(out, plan, paid, frame, terms, na, call) {
  out <- c(out, plan[setdiff(c("mechanism", "details"), names(out))])
  limits <- if (inherits(plan$bounds, "dp_prior")) list(prior = plan$bounds)
            else lapply(plan$bounds, stats::setNames, terms)
  names <- if (length(plan$tau) > 1) tau_terms(terms, plan$tau) else terms
  release <- new_release(
    stats::setNames(out$estimate, names), paid, mechanism = out$mechanism,
    n = nrow(frame$x), d = length(terms), exact = out$exact, released = !isFALSE(out$released), call = call,
    interval = out$interval,
    details = c(
      list(what = plan$what, formula = frame$kept$formula), limits, out$details,
      if (!"rare" %in% names(out$details)) plan$details[intersect("rare", names(plan$details))],
      if (!is.null(plan$resolved) && is.null(plan$neighbours)) resolves_detail(plan$resolved),
      if (!is.null(plan$why)) plan["why"],
      if (length(frame$kept$levels) > 0) frame$kept["levels"],
      if (length(frame$kept$ordered) > 0) frame$kept["ordered"],
      if (length(frame$kept$logical) > 0) frame$kept["logical"],
      na_detail(na, "0 for the regressors, and the middle of the limits for the response,"),
      frame$kept$of_tally
    )
  )
  structure(release, class = c("dp_regression", class(release)))
}
