# The private regressions on real data: writes vignettes/regression-data.csv.
#
# Usage: Rscript data-raw/regression-data.R [releases, 100] [cases, all of 1 to 9], in the repository, with
# the package, survival, MASS, robustbase and ggplot2 installed. Some minutes of processor time; rows are
# written as they come, in place of those that are there.
#
# The data stay as they are, and each method releases its fit to them 100 times. All variables are put into
# units of a public box, named by hand from what the variables are: the box becomes [-1, 1]. Methods
# with limits get [-50, 50] in these units, others the box. The error of a fit is the median of its absolute
# residuals in all rows, relative to the best of the methods without privacy that are there: 1 is as good as
# without privacy. It does not depend on the units, and takes no side: outliers move it little.

source("data-raw/regression-methods.R")
given <- as.integer(commandArgs(TRUE))
releases <- c(given, 100L)[[1]]

# Columns into [-1, 1]: `box` is a list of ranges, the response's first.
in_units <- function(data, box) {
  out <- Map(function(v, range) 2 * (v - range[[1]]) / (range[[2]] - range[[1]]) - 1, data, box)
  stats::setNames(as.data.frame(out), c("y", paste0("x", seq_along(box[-1]))))
}

stars <- robustbase::starsCYG
animals <- robustbase::Animals2
soil <- robustbase::condroz
boston <- MASS::Boston
air <- robustbase::NOxEmissions
men <- survival::flchain[survival::flchain$sex == "M", ]
diamonds <- as.data.frame(ggplot2::diamonds)
diamonds$ideal <- as.numeric(diamonds$cut == "Ideal")
set.seed(1)
few <- diamonds[sample(nrow(diamonds), 2000), ]
hours <- air[sample(nrow(air), 1000), ]
prices <- function(d) data.frame(log10(d$price), log10(d$carat), d$depth, d$table, d$ideal)
price_box <- list(c(2, 5), c(-1, 1), c(50, 75), c(45, 75), c(0, 1))

cases <- list(
  "stars: light, temperature" = list(
    data = stars[c("log.light", "log.Te")], box = list(c(2, 8), c(3, 5)), epsilons = c(2, 4)),
  "animals: brain, body" = list(
    data = log10(animals[c("brain", "body")]), box = list(c(-2, 5), c(-4, 6)), epsilons = c(2, 4)),
  "soil: calcium, pH" = list(
    data = data.frame(log10(soil$Ca), soil$pH), box = list(c(1, 5), c(4, 10)), epsilons = c(0.5, 1)),
  "Boston: price, rooms" = list(
    data = boston[c("medv", "rm")], box = list(c(0, 60), c(2, 10)), epsilons = c(0.5, 1)),
  "Boston: price, rooms and status" = list(
    data = boston[c("medv", "rm", "lstat")], box = list(c(0, 60), c(2, 10), c(0, 50)), epsilons = 0.5),
  "chains: lambda, kappa" = list(
    data = men[c("lambda", "kappa")], box = list(c(0, 30), c(0, 30)), epsilons = 0.1),
  "1,000 hours of air: NOx, emission and wind" = list(
    data = hours[c("LNOx", "LNOxEm", "sqrtWS")], box = list(c(-2, 10), c(0, 10), c(0, 5)), epsilons = 0.2),
  "diamonds: price, four regressors" = list(
    data = prices(diamonds), box = price_box, epsilons = 0.1),
  "2,000 diamonds" = list(data = prices(few), box = price_box, epsilons = 1)
)

# Which methods: with four regressors and thousands of rows the exact draw takes too long; so do Medsweep's
# slopes with many rows, and with thousands the deepest line and the restricted mechanism. The others know
# one regressor only.
serving <- function(n, p) {
  fits <- c(ours, boxed[setdiff(names(boxed), "gradient")], list(TukeyEM = tukeyem))
  line <- if (p > 1) c("restricted", "deepest", setdiff(names(boxed), "AdaSSP"))
  slow <- c(if (p > 2) "exponential", if (n > 600) "Medsweep",
            if (n > 1000) c("restricted", "deepest"))
  fits[setdiff(names(fits), c(line, slow))]
}

typical <- function(coefficients, data) {
  stats::median(abs(data$y - drop(as.matrix(cbind(1, data[names(data) != "y"])) %*% coefficients)))
}

# The fits without privacy.
alone <- function(data) {
  fits <- list("least squares" = stats::lm)
  if (ncol(data) == 2) fits$deepest <- dpdepth::regress_deepest
  if (ncol(data) < 4) fits$Medsweep <- dpdepth::regress_medsweep
  vapply(fits, function(fit) typical(stats::coef(fit(y ~ ., data)), data), 0)
}

# An error of NA is a failed release, NULL a refusal.
cell <- function(fit, data, epsilon, best) {
  box <- list(x = c(-1, 1), y = c(-1, 1))
  errors <- rep(NA_real_, releases)
  for (i in seq_len(releases)) {
    found <- attempt(fit, data, epsilon, box)
    if (is.null(found)) break
    errors[[i]] <- typical(stats::coef(found), data) / best
  }
  done <- errors[!is.na(errors)]
  data.frame(epsilon = epsilon, releases = releases, failed = releases - length(done),
             typical = if (length(done) > 0) stats::median(done) else NA,
             bad = if (length(done) > 0) stats::quantile(done, 0.9, names = FALSE) else NA)
}

keys <- c("case", "epsilon", "private", "method")
keep <- function(case, data, method, private, row) {
  put_rows(cbind(case = case, n = nrow(data), p = ncol(data) - 1L, method = method, private = private, row),
           "regression-data", keys, c("typical", "bad"))
}
wanted <- if (length(given) > 1) given[-1] else seq_along(cases)
for (case in names(cases)[wanted]) {
  one <- cases[[case]]
  data <- in_units(one$data, one$box)
  public <- alone(data)
  for (method in names(public)) {
    keep(case, data, method, FALSE, data.frame(epsilon = NA, releases = 1, failed = 0,
                                               typical = public[[method]] / min(public), bad = NA))
  }
  fits <- serving(nrow(data), ncol(data) - 1L)
  for (epsilon in one$epsilons) for (method in names(fits)) {
    set.seed(1)
    keep(case, data, method, TRUE, cell(fits[[method]], data, epsilon, min(public)))
  }
  message(case, ": ", round(sum(proc.time()[c(1, 4)])), " s of processor time")
}
