# Releases: an example, and whether one holds given numbers in any form in which it can be seen or saved.

# Everything that can be seen of a release, as text and as bytes.
visible_text <- function(r) {
  shown <- utils::capture.output({
    dput(r)
    # of an environment, dput() says that it cannot be complete
    suppressWarnings(dput(r, control = "exact"))
    print(r)
    print(unclass(r), digits = 17)
    str(r)
    print(summary(r))
    str(summary(r))
    utils::write.csv(as.data.frame(r))
  })
  paste(c(shown, format(r), format(r, digits = 17), deparse(r)), collapse = "\n")
}

holds_bytes <- function(bytes, value) {
  for (pattern in list(writeBin(value, raw(), endian = "big"), writeBin(value, raw(), endian = "little"))) {
    if (length(grepRaw(pattern, bytes, fixed = TRUE)) > 0) return(TRUE)
  }
  FALSE
}

leaks <- function(r, canaries) {
  text <- visible_text(r)
  bytes <- serialize(r, NULL)
  found <- vapply(canaries, function(v) {
    holds_bytes(bytes, v) || grepl(substr(format(v, digits = 15), 1, 8), text, fixed = TRUE) ||
      length(grepRaw(charToRaw(substr(format(v, digits = 15), 1, 8)), bytes, fixed = TRUE)) > 0
  }, NA)
  sum(found)
}

# In the data of all calls: a number that must show in no message and no release.
canary <- 0.7313731

canary_text <- "7313731"

nasty_values <- c(0, -1, 1, 0.5, 2, 3, 7, 1e-300, 5e-324, 1e308, -1e308, 2^53, 2^31, -2^31, 1e15 + 0.5,
                  199999.95)

# A row in the units of a prior's covariance: TRUE if it depends on the rows beside it, or is not finite.
whitening_tells <- function() {
  scale <- outer(10^(-2:2), 10^(-2:2))
  whitening <- prior_whitening(prior_normal(0, covariance = scale * (0.3 + diag(0.7, 5))))
  x <- matrix(sample(c(nasty_values, stats::rnorm(9)), 5 * 40, TRUE), ncol = 5)
  whole <- whiten_rows(x, whitening)
  order <- sample.int(40)
  alone <- do.call(rbind, lapply(1:40, function(i) whiten_rows(x[i, , drop = FALSE], whitening)))
  !identical(whole, alone) || !identical(whiten_rows(x[order, ], whitening), whole[order, ]) ||
    !all(is.finite(whole))
}

# A release as mechanisms make them; arguments replace its fields.
people_release <- function(...) {
  args <- list(
    estimate = c(weight = 81.25, height = 169.5), epsilon = 1, guarantee = "pure",
    mechanism = "exponential mechanism, halfspace depth", n = 12588, d = 2, exact = TRUE, rng = "system",
    call = quote(dp_median(x = people, epsilon = 1)),
    details = list(what = "median", why = "two variables: exact depth and an exact sampler",
                   prior = prior_uniform(c(30, 120), c(250, 220)), directions = 1000, step = c(0.5, 0.25))
  )
  new <- list(...)
  args[names(new)] <- new
  do.call(new_release, args, quote = TRUE)
}
