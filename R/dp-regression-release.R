# The release that dp_regression() makes of what a method has drawn.

regression_release <- function(out, plan, frame, terms, gamma, na, source, call) {
  out <- c(out, plan[setdiff(c("mechanism", "details"), names(out))])
  limits <- if (inherits(plan$bounds, "dp_prior")) list(prior = plan$bounds)
            else lapply(plan$bounds, stats::setNames, terms)
  names <- if (length(plan$tau) > 1) tau_terms(terms, plan$tau) else terms
  release <- new_release(
    estimate = stats::setNames(out$estimate, names), epsilon = plan$epsilon, delta = plan$delta,
    gamma = gamma, guarantee = plan$guarantee, mechanism = out$mechanism, n = nrow(frame$x),
    d = length(terms), exact = out$exact, released = !isFALSE(out$released), rng = source, call = call,
    interval = out$interval, neighbours = if (is.null(plan$neighbours)) "substitution" else plan$neighbours,
    details = c(
      list(what = plan$what, formula = frame$kept$formula), limits, out$details,
      if (!"rare" %in% names(out$details)) plan$details[intersect("rare", names(plan$details))],
      if (!is.null(plan$why)) plan["why"],
      if (!is.null(plan$caution)) plan["caution"],
      if (length(frame$kept$levels) > 0) frame$kept["levels"],
      if (length(frame$kept$ordered) > 0) frame$kept["ordered"],
      if (length(frame$kept$logical) > 0) frame$kept["logical"],
      na_detail(na, "0 for the regressors, and the middle of the limits for the response,"),
      frame$kept$of_tally
    )
  )
  structure(release, class = c("dp_regression", class(release)))
}
