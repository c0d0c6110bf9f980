# The private regressions on real data: writes vignettes/regression-chains.csv.
#
# Rscript data-raw/regression-chains.R [cores, 1 or 2], in the repository, with the package and survival
# installed. About two minutes of processor time.
#
# survival::flchain, the men: free light chains of immunoglobulin in the blood, lambda ~ kappa (mg/dL). In
# each replicate n men are drawn; the error is that of the line at kappa = 1 and at kappa = 2, both together,
# against the non-private line of the same method for all men. Bounds [-b, b] of both coefficients.
#
# what = "epsilon": by epsilon and n, kappa centered at 1.5; "bound": by b, with epsilon = 2 and n = 500;
# "raw": as the first, kappa not centered.

source("data-raw/regression-once.R")
replicates <- 50
methods <- c(deepest = "deepest", Medsweep = "medsweep")
public <- list(deepest = dpdepth::regress_deepest, Medsweep = dpdepth::regress_medsweep)

# The absolute errors of all methods on one draw of men: kappa, method, epsilon (NA: without privacy).
errors <- function(data, at, truth, epsilons, bound) {
  sapply(epsilons, simplify = "array", function(epsilon) {
    sapply(names(methods), function(method) {
      fit <- if (is.na(epsilon)) {
        public[[method]](lambda ~ kappa, data)
      } else {
        dpdepth::dp_regression(lambda ~ kappa, data, epsilon, 1e-6, method = methods[[method]],
                               lower = -bound, upper = bound, rng = "R")
      }
      abs(at %*% stats::coef(fit) - truth[[method]])
    })
  })
}

setting <- function(what, n, epsilons, bound) {
  men <- survival::flchain[survival::flchain$sex == "M", c("kappa", "lambda")]
  centre <- if (what == "raw") 0 else 1.5
  men$kappa <- men$kappa - centre
  at <- cbind(1, 1:2 - centre)
  truth <- lapply(public, function(fit) at %*% stats::coef(fit(lambda ~ kappa, men)))
  set.seed(n)
  all <- replicate(replicates, errors(men[sample(nrow(men), n), ], at, truth, epsilons, bound),
                   simplify = "array")
  typical <- apply(all, 2:3, stats::median)
  data.frame(what = what, n = n, epsilon = rep(epsilons, each = 2), bound = bound, method = names(methods),
             median_abs = signif(c(typical), 3))
}
cases <- c(lapply(c(2000, 1000, 500, 250), function(n) list("epsilon", n, c(NA, 0.5, 1, 2, 4), 10)),
           list(list("raw", 1000, c(NA, 0.5, 1, 2, 4), 10)),
           lapply(10^(0:6), function(bound) list("bound", 500, 2, bound)))

given <- commandArgs(TRUE)
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
done <- parallel::mclapply(cases, function(case) do.call(setting, case), mc.cores = cores,
                           mc.preschedule = FALSE)
failed <- vapply(done, inherits, NA, "try-error")
if (any(failed)) stop("replicates failed: ", done[failed][[1]])
table <- do.call(rbind, done)
table <- table[order(table$what, table$method, table$n, !is.na(table$epsilon), table$epsilon, table$bound), ]
utils::write.csv(table, "vignettes/regression-chains.csv", row.names = FALSE, na = "")
print(table, row.names = FALSE)
