# Accuracy of the private regressions against the non-private ones: writes vignettes/regression-accuracy.csv.
#
# Rscript data-raw/regression-accuracy.R [cores, 1 or 2], in the repository, with the package installed. About
# three minutes of processor time.
#
# The design is that of section 5 of Cumings-Menon (2022): y = 1 + 2 x + v, x and v from one law; errors of
# the fitted line at the 0.25 and 0.75 quantiles of the law of x, both together; bounds [-50, 50] of both
# coefficients; delta = 1e-6. 200 replicates instead of 100. All methods see the same data.

source("data-raw/regression-once.R")
laws <- list(normal = list(draw = stats::rnorm, quartile = stats::qnorm(0.75)),
             Laplace = list(draw = function(n) sample(c(-1, 1), n, TRUE) * stats::rexp(n), quartile = log(2)),
             "t (3)" = list(draw = function(n) stats::rt(n, 3), quartile = stats::qt(0.75, 3)))
sizes <- c(50, 100, 200, 300, 400, 500)
epsilons <- c(4, 12)
replicates <- 200

private <- function(data, epsilon, method) {
  stats::coef(dpdepth::dp_regression(y ~ x, data, epsilon, 1e-6, method = method, lower = -50, upper = 50,
                                     rng = "R"))
}

# The coefficients by every method, one a column.
fits <- function(data) {
  public <- list("least squares" = stats::lm, deepest = dpdepth::regress_deepest,
                 Medsweep = dpdepth::regress_medsweep)
  out <- sapply(public, function(fit) stats::coef(fit(y ~ x, data)))
  for (epsilon in epsilons) {
    added <- sapply(c(deepest = "deepest", Medsweep = "medsweep"), function(m) private(data, epsilon, m))
    colnames(added) <- paste0(colnames(added), ":", epsilon)
    out <- cbind(out, added)
  }
  out
}

# The errors of all replicates in one law and size: an array quartiles x methods x replicates.
errors <- function(law, n, seed) {
  set.seed(seed)
  at <- cbind(1, c(-1, 1) * law$quartile)
  sapply(seq_len(replicates), simplify = "array", function(i) {
    x <- law$draw(n)
    data <- data.frame(x = x, y = 1 + 2 * x + law$draw(n))
    at %*% (fits(data) - c(1, 2))
  })
}

# mse_se: the standard error of the mean squared error over the replicates, each with its two quartiles.
summarise <- function(law, n, e) {
  methods <- strsplit(dimnames(e)[[2]], ":")
  squared <- apply(e^2, 2:3, mean)
  data.frame(law = law, n = n, method = vapply(methods, `[`, "", 1),
             epsilon = as.numeric(vapply(methods, `[`, "", 2)), mse = rowMeans(squared),
             mse_se = apply(squared, 1, stats::sd) / sqrt(replicates),
             median_abs = apply(abs(e), 2, stats::median))
}

given <- commandArgs(TRUE)
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
tasks <- expand.grid(n = rev(sizes), law = names(laws), stringsAsFactors = FALSE)
done <- parallel::mclapply(seq_len(nrow(tasks)), function(i) {
  law <- tasks$law[[i]]
  n <- tasks$n[[i]]
  summarise(law, n, errors(laws[[law]], n, seed = 1000 * match(law, names(laws)) + n))
}, mc.cores = cores, mc.preschedule = FALSE)
failed <- vapply(done, inherits, NA, "try-error")
if (any(failed)) stop("replicates failed: ", done[failed][[1]])
table <- do.call(rbind, done)
table <- table[order(match(table$law, names(laws)), !is.na(table$epsilon), table$epsilon, table$method,
                     table$n), ]
for (column in c("mse", "mse_se", "median_abs")) table[[column]] <- signif(table[[column]], 4)
utils::write.csv(table, "vignettes/regression-accuracy.csv", row.names = FALSE, na = "")
print(table, row.names = FALSE)
