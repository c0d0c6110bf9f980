# The private regressions on real data: writes vignettes/regression-chains.csv.
#
# Rscript data-raw/regression-chains.R [cores, 1 or 2], in the repository, with the package and survival
# installed. About a minute of processor time.
#
# survival::flchain, the men: free light chains of immunoglobulin in the blood, lambda ~ kappa (mg/dL). In
# each replicate n men are drawn; the error is that of the line at kappa = 1 and at kappa = 2, both together,
# against the deepest line of all men. Limits [-b, b] of both coefficients. Medsweep gets kappa centered at
# 1.5.
#
# what = "epsilon": by epsilon and n; "bound": by b, with epsilon = 2 and n = 500.

source("data-raw/regression-once.R")
replicates <- 50
men <- survival::flchain[survival::flchain$sex == "M", c("kappa", "lambda")]
men$above <- men$kappa - 1.5
truth <- c(cbind(1, 1:2) %*% stats::coef(dpdepth::regress_deepest(lambda ~ kappa, men)))

methods <- list(
  exponential = function(data, epsilon, bound) {
    cbind(1, 1:2) %*% stats::coef(dpdepth::dp_regression(lambda ~ kappa, data, epsilon, lower = -bound,
                                                         upper = bound, rng = "R"))
  },
  Medsweep = function(data, epsilon, bound) {
    cbind(1, c(-0.5, 0.5)) %*% stats::coef(dpdepth::dp_regression(
      lambda ~ above, data, epsilon, 1e-6, method = "medsweep", lower = -bound, upper = bound, rng = "R"
    ))
  }
)
alone <- function(data) cbind(1, 1:2) %*% stats::coef(dpdepth::regress_deepest(lambda ~ kappa, data))

setting <- function(what, n, epsilons, bound) {
  set.seed(n)
  errors <- replicate(replicates, {
    data <- men[sample(nrow(men), n), ]
    c(if (what == "epsilon") abs(alone(data) - truth),
      unlist(lapply(methods, function(fit) {
        lapply(epsilons, function(epsilon) abs(suppressWarnings(fit(data, epsilon, bound)) - truth))
      })))
  })
  # two errors a fit
  cell <- rep(seq_len(nrow(errors) / 2), each = 2)
  typical <- vapply(split(errors, cell[row(errors)]), stats::median, 0)
  rows <- expand.grid(epsilon = epsilons, method = names(methods), stringsAsFactors = FALSE)
  if (what == "epsilon") rows <- rbind(data.frame(epsilon = NA, method = "not private"), rows)
  data.frame(what = what, n = n, epsilon = rows$epsilon, bound = bound, method = rows$method,
             median_abs = signif(typical, 3))
}
cases <- c(lapply(c(2000, 1000, 500, 250, 100), function(n) list("epsilon", n, c(0.5, 1, 2, 4), 10)),
           lapply(10^(0:6), function(bound) list("bound", 500, 2, bound)))

given <- commandArgs(TRUE)
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
done <- parallel::mclapply(cases, function(case) do.call(setting, case), mc.cores = cores,
                           mc.preschedule = FALSE)
failed <- vapply(done, inherits, NA, "try-error")
if (any(failed)) stop("replicates failed: ", done[failed][[1]])
table <- do.call(rbind, done)
table <- table[order(table$what, table$method, table$n, table$epsilon, table$bound), ]
utils::write.csv(table, "vignettes/regression-chains.csv", row.names = FALSE, na = "")
print(table, row.names = FALSE)
