# The M-estimate with noise in proportion to its gross-error sensitivity: the published scale, its label.

test_that("the noise has the published standard deviation", {
  skip_on_cran()
  set.seed(1)
  x <- matrix(stats::rnorm(400, 5)) # public-rng: simulated data
  fit <- mestimate_fit(x, list(lower = 0, upper = 10, scale = 1, distance = 5), psi_make("huber"))
  drawn <- replicate(400, coef(rival_mestimate(x, 1, 1e-6, lower = 0, upper = 10, scale = 1, rng = "R")))
  sd <- fit$gross_error * 5 * sqrt(2 * log(400) * log(2e6)) / 400
  z <- sum(((drawn - fit$estimate) / sd)^2)
  expect_gt(2 * min(stats::pchisq(z, 400), stats::pchisq(z, 400, lower.tail = FALSE)), ALPHA)
})

test_that("the release says asymptotic, and the ledger does", {
  ledger <- dp_ledger(1, 1e-3)
  m <- rival_mestimate(faithful, 1, 1e-6, lower = 0, upper = c(10, 180), scale = c(1, 15), ledger = ledger)
  expect_identical(m$guarantee, "asymptotic")
  expect_match(format(m)[[1]], "no privacy is proved for finite n")
  expect_match(as.data.frame(ledger)$label, "asymptotic")
  # within the limits, on the lattice whatever the rows
  for (x in list(1e308, c(-1e308, 1e308), c(1, 1, 1), numeric(9))) {
    m <- suppressWarnings(rival_mestimate(x, 1, 0.1, "tukey", lower = -1, upper = 1, scale = 0.1))
    expect_true(is.finite(coef(m)) && abs(coef(m)) <= 1)
  }
})

test_that("bad arguments are refused and spend nothing", {
  ledger <- dp_ledger(1, 1e-3)
  refused <- function(x = 1:9, delta = 1e-6, lower = 0, upper = 9, scale = 1, ...) {
    expect_error(rival_mestimate(x, 1, delta, ..., lower = lower, upper = upper, scale = scale,
                                 ledger = ledger), class = "dpdepth_error_input")
  }
  refused(c(1, NA))
  refused(delta = 0)
  refused(lower = NULL)
  refused(scale = -1)
  refused(psi = "mean")
  refused(neighbours = "add_remove")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})
