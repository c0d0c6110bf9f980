# The private regressions on real data: writes vignettes/regression-data.csv.
#
# Usage: make simulations FIGURE=regression-data, or Rscript data-raw/regression-data.R [releases, 100], with
# the packages survival, MASS, robustbase and ggplot2. Some minutes of processor time.
#
# The data stay as they are, and each method releases its fit to them 100 times. All variables are put into
# units of a public box, named by hand from what the variables are: the box becomes [-1, 1]. Methods
# with limits get [-50, 50] in these units, others the box. The error of a fit is the median of its absolute
# residuals in all rows, relative to the best of the methods without privacy that are there: 1 is as good as
# without privacy. It does not depend on the units, and takes no side: outliers move it little. Exact draws
# with four regressors take about a minute each, and are made 20 times.
# The committed table has the same settings; all but these draws is of 22 November 2026, made before the
# script stood on simulate_releases(), from other random numbers.

source("data-raw/regression-methods.R")

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
# public-rng: a choice of public rows
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
cases <- pick(cases, cases["stars: light, temperature"])

# Which methods: with four regressors and more than 2,000 rows the exact draw takes too long; so do Medsweep's
# slopes with many rows, and with thousands the deepest line. The others know one regressor only.
serving <- function(n, p) {
  fits <- c(ours, boxed[setdiff(names(boxed), "gradient")], list(TukeyEM = tukeyem))
  line <- if (p > 1) c("deepest", setdiff(names(boxed), "AdaSSP"))
  slow <- c(if (p > 2 && n > 2000) "exponential", if (n > 600) "Medsweep",
            if (n > pick(1000, 10)) "deepest")
  fits[setdiff(names(fits), c(line, slow))]
}

typical <- function(coefficients, data) {
  stats::median(abs(data$y - drop(as.matrix(cbind(1, data[names(data) != "y"])) %*% coefficients)))
}

# The fits without privacy.
alone <- function(data) {
  fits <- list("least squares" = stats::lm)
  if (ncol(data) == 2) fits$deepest <- regress_deepest
  if (ncol(data) < 4) fits$Medsweep <- regress_medsweep
  vapply(fits, function(fit) typical(stats::coef(fit(y ~ ., data)), data), 0)
}

# The fit that a cell's releases are made of; its best error without privacy.
sets <- lapply(cases, function(case) in_units(case$data, case$box))
best <- lapply(sets, alone)

# The error of a release, and whether the call is refused, which depends on public numbers.
box <- list(x = c(-1, 1), y = c(-1, 1))
errors_of <- function(method) {
  force(method)
  function(data, case, epsilon) {
    fit <- attempt(method, data, epsilon, box)
    c(error = if (is.null(fit)) NA_real_ else typical(stats::coef(fit), data) / min(best[[case]]))
  }
}
design <- do.call(rbind, lapply(names(cases), function(case) {
  methods <- names(serving(nrow(sets[[case]]), ncol(sets[[case]]) - 1L))
  expand.grid(case = case, estimate = methods, epsilon = cases[[case]]$epsilons, stringsAsFactors = FALSE)
}))
simulate <- function(name, design, replicates) {
  simulate_figure(name, design, function(case) {
    remember_searches()
    sets[[case]]
  }, lapply(c(ours, boxed, list(TukeyEM = tukeyem)), errors_of), replicates = replicates)
}
summary_of <- function(v, cell) {
  done <- v[!is.na(v)]
  of <- function(value) if (length(done) > 0) signif(value, 3) else NA
  data.frame(releases = nrow(v), failed = nrow(v) - length(done), typical = of(stats::median(done)),
             bad = of(stats::quantile(done, 0.9, names = FALSE)))
}
summaries <- function(found) by_cell(found, summary_of)
draws <- design$estimate == "exponential" & vapply(sets[design$case], ncol, 0L) == 5
released <- summaries(simulate("regression-data", design[!draws, ], runs(100)))
if (any(draws)) {
  released <- rbind(released, summaries(simulate("regression-data-draws", design[draws, ], runs(20))))
}

shape <- function(case) data.frame(case, n = nrow(sets[[case]]), p = ncol(sets[[case]]) - 1L)
table <- rbind(
  do.call(rbind, lapply(names(cases), function(case) {
    public <- best[[case]]
    data.frame(shape(case), method = names(public), private = FALSE, epsilon = NA, releases = 1, failed = 0,
               typical = signif(public / min(public), 3), bad = NA, row.names = NULL)
  })),
  data.frame(do.call(rbind, lapply(released$case, shape)), method = released$estimate, private = TRUE,
             released[c("epsilon", "releases", "failed", "typical", "bad")])
)
write_figure(table[do.call(order, c(unname(table[c("case", "epsilon", "private", "method")]),
                                    method = "radix")), ], "regression-data", na = "")
