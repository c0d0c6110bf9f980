# The private regressions on real data: writes vignettes/regression-chains.csv.
#
# Rscript data-raw/regression-chains.R [cores, 1 or 2], in the repository, with the package and survival
# installed. About a minute of processor time.
#
# survival::flchain, the men: free light chains of immunoglobulin in the blood, lambda ~ kappa (mg/dL). In each
# replicate n men are drawn; the error is that of the line at kappa = 1 and at kappa = 2, both together,
# against the non-private line of the same method for all men. Once for epsilon and n, with bounds
# [-10, 10] of both coefficients; once for the bounds, with epsilon = 2 and n = 500.

men <- survival::flchain[survival::flchain$sex == "M", c("kappa", "lambda")]
replicates <- 50
methods <- c(deepest = "deepest", Medsweep = "medsweep")
public <- list(deepest = dpdepth::regress_deepest, Medsweep = dpdepth::regress_medsweep)
at <- cbind(1, 1:2)
truth <- lapply(public, function(fit) stats::coef(fit(lambda ~ kappa, men)))

# The search of the deepest regression, which does not depend on epsilon, is done once for all of them.
search <- dpdepth:::deepest_spreads
last <- list()
once <- function(x, y, steps) {
  if (!identical(last$given, list(x, y, steps))) last <<- list(given = list(x, y, steps), found = search(x, y, steps))
  last$found
}
utils::assignInNamespace("deepest_spreads", once, "dpdepth")

# The absolute errors of all methods on one draw of men: quartile, method, epsilon (NA: without privacy).
errors <- function(data, epsilons, bound) {
  sapply(epsilons, simplify = "array", function(epsilon) {
    sapply(names(methods), function(method) {
      fit <- if (is.na(epsilon)) public[[method]](lambda ~ kappa, data) else {
        dpdepth::dp_regression(lambda ~ kappa, data, epsilon, 1e-6, methods[[method]], lower = -bound,
                               upper = bound, rng = "R")
      }
      abs(at %*% (stats::coef(fit) - truth[[method]]))
    })
  })
}

setting <- function(what, n, epsilons, bound) {
  set.seed(n)
  all <- replicate(replicates, errors(men[sample(nrow(men), n), ], epsilons, bound), simplify = "array")
  typical <- apply(all, 2:3, stats::median)
  data.frame(what = what, n = n, epsilon = rep(epsilons, each = 2), bound = bound, method = names(methods),
             median_abs = signif(c(typical), 3))
}
cases <- c(lapply(c(2000, 1000, 500, 250), function(n) list("epsilon", n, c(NA, 0.5, 1, 2, 4), 10)),
           lapply(10^(6:0), function(bound) list("bound", 500, 2, bound)))

given <- commandArgs(TRUE)
dpdepth::dpdepth_threads(1) # cores are for replicates
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
done <- parallel::mclapply(cases, function(case) do.call(setting, case), mc.cores = cores,
                           mc.preschedule = FALSE)
failed <- vapply(done, inherits, NA, "try-error")
if (any(failed)) stop("replicates failed: ", done[failed][[1]])
table <- do.call(rbind, done)
table <- table[order(table$what, table$method, table$n, !is.na(table$epsilon), table$epsilon, table$bound), ]
utils::write.csv(table, "vignettes/regression-chains.csv", row.names = FALSE, na = "")
print(table, row.names = FALSE)
