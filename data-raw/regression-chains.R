# The private regressions on real data: writes vignettes/regression-chains.csv.
#
# Rscript data-raw/regression-chains.R [cores, 1 or 2], in the repository, with the package and survival
# installed. About five minutes of processor time.
#
# survival::flchain, the men: free light chains of immunoglobulin in the blood, lambda ~ kappa (mg/dL). In each
# replicate n men are drawn; the error is that of the line at kappa = 1 and at kappa = 2, both together,
# against the non-private line of the same method for all men. Once for epsilon and n, with bounds
# [-10, 10] of both coefficients; once for the bounds, with epsilon = 1 and n = 1000.

men <- survival::flchain[survival::flchain$sex == "M", c("kappa", "lambda")]
replicates <- 50
methods <- c(deepest = "deepest", Medsweep = "medsweep")
public <- list(deepest = dpdepth::regress_deepest, Medsweep = dpdepth::regress_medsweep)
at <- cbind(1, 1:2)
truth <- lapply(public, function(fit) stats::coef(fit(lambda ~ kappa, men)))

# The absolute errors of all methods on one draw of men; epsilon = NA is without privacy.
errors <- function(data, epsilon, bound) {
  sapply(names(methods), function(method) {
    fit <- if (is.na(epsilon)) public[[method]](lambda ~ kappa, data) else {
      dpdepth::dp_regression(lambda ~ kappa, data, epsilon, 1e-6, methods[[method]], lower = -bound,
                             upper = bound, rng = "R")
    }
    abs(at %*% (stats::coef(fit) - truth[[method]]))
  })
}

cases <- rbind(
  expand.grid(what = "epsilon", n = c(2000, 1000, 500, 250), epsilon = c(NA, 0.5, 1, 2, 4), bound = 10),
  data.frame(what = "bound", n = 1000, epsilon = 1, bound = 10^(0:6))
)
given <- commandArgs(TRUE)
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
done <- parallel::mclapply(seq_len(nrow(cases)), mc.cores = cores, mc.preschedule = FALSE, FUN = function(i) {
  case <- cases[i, ]
  set.seed(case$n) # the same men for every epsilon
  draws <- replicate(replicates, sample(nrow(men), case$n))
  set.seed(100 + i)
  all <- apply(draws, 2, function(rows) errors(men[rows, ], case$epsilon, case$bound), simplify = FALSE)
  typical <- apply(do.call(rbind, all), 2, stats::median)
  data.frame(case, method = names(methods), median_abs = signif(typical, 3))
})
failed <- vapply(done, inherits, NA, "try-error")
if (any(failed)) stop("replicates failed: ", done[failed][[1]])
table <- do.call(rbind, done)
table <- table[order(table$what, table$method, table$n, !is.na(table$epsilon), table$epsilon, table$bound), ]
utils::write.csv(table, "vignettes/regression-chains.csv", row.names = FALSE, na = "")
print(table, row.names = FALSE)
