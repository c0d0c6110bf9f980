# The privacy audit's fuzzing: random arguments, good and nasty, for every exported function.

# -- pools -----------------------------------------------------------------------------------------

fuzz_numbers <- function(n) {
  kind <- sample.int(8, 1)
  x <- switch(kind, stats::rnorm(n), sample(-2:2, n, TRUE) + 0, rep(canary, n), stats::runif(n, 0, 1e-300),
              1e308 * sample(c(-1, 1), n, TRUE), 1e-320 * seq_len(n), seq_len(n) / 7,
              sample(c(0, 1e15, -1e15, .Machine$integer.max), n, TRUE))
  if (n > 0) x[[sample.int(n, 1)]] <- canary
  x
}

fuzz_matrix <- function() {
  n <- sample(c(0, 1, 2, 3, 5, 9, 20), 1)
  d <- sample(c(0, 1, 1, 2, 2, 2, 3, 4), 1)
  m <- matrix(fuzz_numbers(n * d), n, d)
  if (stats::runif(1) < 0.4) colnames(m) <- rep_len(sample(c("x", "y", "z", "x", "", NA)), d)
  if (n > 1 && d > 0 && stats::runif(1) < 0.2) m[, 1] <- m[[1, 1]]
  m
}

good_matrix <- function(d = sample(1:3, 1)) {
  m <- matrix(stats::rnorm(20 * d), 20, d)
  m[[sample.int(20 * d, 1)]] <- canary
  if (stats::runif(1) < 0.2) m <- m[sample.int(20, 20, TRUE), , drop = FALSE]
  m
}

# Objects that are no numbers, with the number `v` in those that can hold one: the canary for data, another
# for what is public.
fuzz_objects <- function(v) {
  list(NULL, NA, NA_real_, NaN, Inf, -Inf, "", format(v), c("a", NA), TRUE, logical(), character(), double(),
       factor(c(format(v), "b")), list(v, 2), list(), as.Date("2020-01-01") + v,
       as.POSIXct(v, origin = "1970-01-01", tz = "UTC"), complex(real = v, imaginary = 1),
       as.difftime(v, units = "mins"), quote(x), quote(f(x)), y ~ x, expression(x), mean, sum,
       new.env(), raw(3), .Machine$integer.max, -.Machine$integer.max, NA_integer_, 1:3,
       array(v, c(2, 2, 2)), matrix(list(v, 2), 1), matrix(format(v), 3, 2),
       matrix(NA_real_, 3, 2), data.frame(), data.frame(a = character(2)), data.frame(x = I(list(1, v))),
       structure(list(v), class = "odd"), structure(v, class = "odd"),
       structure(v, names = "0.7"), structure(1:4, dim = 4L), structure(c(v, 1), class = "integer64"),
       structure(list(), class = "dp_prior"), structure(list(lower = "a"), class = c("dp_prior_uniform",
                                                                                     "dp_prior")),
       structure(new.env(), class = "dp_ledger"), structure(list(), class = "dp_release"), as.name("a b"),
       methods::getClass("numeric"), numeric_version("1.0"), 1e308, -1e308, 1e-320, 2^53, 2^31, 0.5, 0, -1,
       1.5,
       matrix(0, 0, 0), matrix(0, 3, 0), matrix(0, 0, 3), stats::ts(c(v, 1, 2)), c(a = 1, a = 2))
}

fuzz_pools <- list(
  data = function() if (stats::runif(1) < 0.6) good_matrix() else fuzz_matrix(),
  rows = function() if (stats::runif(1) < 0.3) fuzz_pools$formula() else fuzz_pools$data(),
  perhaps = function() if (stats::runif(1) < 0.3) fuzz_pools$frame(),
  line = function() if (stats::runif(1) < 0.6) good_matrix(1)[, 1] else fuzz_numbers(sample(0:20, 1)),
  plane = function() good_matrix(2),
  frame = function() {
    m <- data.frame(x = fuzz_numbers(12), y = good_matrix(1)[1:12, 1], z = stats::rnorm(12),
                    f = factor(rep(c("a", "b", "c"), 4)), l = rep(c(TRUE, FALSE), 6), k = rep(5L, 12))
    change <- sample.int(10, 1)
    if (change == 1) m$x[[2]] <- NA
    if (change == 2) names(m)[[3]] <- "x"
    if (change == 3) m <- m[0, ]
    if (change == 4) m$x <- as.character(m$x)
    if (change == 5) m$x <- as.Date(m$z, origin = "1970-01-01")
    if (change == 6) m$z <- I(as.list(m$x))
    if (change == 7) m$z <- cbind(m$x, m$y)
    if (change == 8) m$f[[3]] <- NA
    m
  },
  formula = function() {
    pick(list(y ~ x, y ~ z, y ~ x + z, y ~ ., y ~ f, y ~ l, y ~ k, y ~ poly(x, 2), y ~ x - 1, y ~ 1, ~x,
              y ~ 0 + x, y ~ offset(x), y ~ x:z, y ~ x * f, y ~ I(x^2), log(y) ~ x, y ~ log(x),
              y ~ sqrt(x) + z, y ~ nope,
              cbind(x, y) ~ z, y ~ x + x, y ~ x^2, y ~ scale(x), "y ~ x", quote(y ~ x), f ~ x, y ~ I(k * k),
              y ~ x %in% z, y ~ (function(u) u)(x), y ~ `a b`, y ~ x | z, y ~ x$y, y ~ get("x"), y ~ -x, ~ ~x,
              y ~ ifelse(x > 0, 1, 0), I(y) ~ x + I(z > 0), y ~ y, y ~ exp(1000 * x), y ~ factor(x), y ~ "x",
              y ~ pmax(x, ""), y ~ I(x:x), y ~ I(0 * z + ifelse(TRUE, x, 0)), y ~ ifelse(x > 0, "a", "b"),
              y ~ f * l,
              y ~ I(f == "a"), y ~ pmin(x, z), y ~ round(x, 2), y ~ I(x %% 0), y ~ x$y + z,
              log(y) ~ I(1 / x)))
  },
  epsilon = function() pick(list(1, 4, 10, 0.5, 1e-3, 1e-6, 1e6, 60)),
  delta = function() pick(list(1e-6, 1e-3, 0.1, 0.5, 1e-12, 1e-300, 0)),
  bound = function() {
    pick(list(-1, 0, 1, 10, -10, c(0, 1), c(-1, -2), c(x = 1, y = 2), c(y = 1, x = 2), 1e300, -1e300, 1e-320,
              1e-10, c(0, 1, 2), 1e6, -1e6))
  },
  low = function() pick(list(-1, 0, -10, -3, c(-1, -2), -1e6)),
  high = function() pick(list(1, 3, 10, 2, c(2, 1), 1e6)),
  number = function() pick(list(0.1, 0.5, 1, 2, 1e-3, 1e3, 1e-300, 1e300, 1L, -1)),
  share = function() pick(list(0.1, 0.5, 0.9, 0.25, 1e-9, 1 - 1e-9)),
  count = function() pick(list(1L, 2, 3L, 5, 10, 20, 0, 1e10)),
  dimension = function() pick(list(1, 2L, 3, 5, 20)),
  directions = function() {
    pick(list(1L, 2, 5L, 20, 50, diag(2), diag(3), matrix(1), directions(2, 4), matrix(1, 2, 2)))
  },
  resolution = function() pick(list(2^-16, 2^-10, 0.01, 1, 1e3)),
  prior = function() {
    pick(list(prior_uniform(-3, 3), prior_normal(0, 1), prior_uniform(c(-1, -2), c(1, 2)),
              prior_normal(0, c(1, 2)), prior_uniform(c(x = -1, y = 0), 5), prior_uniform(0, 1e-10),
              prior_normal(1e6, 1e-3), prior_normal(0, covariance = matrix(c(1, 0.5, 0.5, 1), 2)),
              prior_dyadic(2^-10), prior_dyadic(c(x = 1, y = 0.1), 3)))
  },
  margin = function() pick(list(0, 1, 3, 100, 2^40)),
  release = function() {
    pick(list(function(epsilon, laplace) c(a = 1), function(epsilon, laplace) laplace(c(1, 2), 1, epsilon),
              function(epsilon, laplace) double(), function(epsilon, laplace) "a",
              function(epsilon, laplace) laplace(canary, 0, epsilon)))
  },
  tuples = function() pick(list(NULL, 10, 50L, matrix(1:3, 1), matrix(1:4, 2))),
  flag = function() pick(list(TRUE, FALSE)),
  rng = function() pick(list(NULL, "system", "R")),
  method = function() pick(list("auto", "exact", "directional", "marginal")),
  result = function() pick(fuzz_results())
)

# Objects for the methods: made once.
fuzz_made <- new.env()
fuzz_results <- function() {
  if (is.null(fuzz_made$results)) {
    frame <- data.frame(x = c(canary, 1:11), y = 12:1 / 7, f = factor(rep(c("a", "b"), 6)))
    fuzz_made$results <- suppressWarnings(classes = "dpdepth_warning", list(
      dp_median_smooth(frame$x, 1, 1e-6, 0, 10), dp_regression(y ~ x, frame, 1, 1e-6, lower = 0, upper = 1,
                                                               method = "deepest"),
      dp_regression(y ~ f, frame, 1, 1e-6, method = "medsweep", lower = 0, upper = 1),
      dp_median_restricted(frame$x, 1, 1e-6), regress_deepest(y ~ x, frame)
    ))
  }
  fuzz_made$results
}

# -- functions and the pools of their arguments ------------------------------------------------------

choices <- function(...) {
  values <- list(...)
  function() pick(values)
}

fuzz_calls <- function() {
  median <- list(x = "data", epsilon = "epsilon", delta = "delta")
  pair <- list(location = choices("median", "trimmed", "huber", "mom"),
               scale = choices("mad", "iqr", "trimmed"))
  projection <- c(pair, list(eta = "number", tau = "number", directions = "directions"))
  box <- list(lower = "low", upper = "high")
  account <- list(ledger = "ledger", rng = "rng")
  either <- list(neighbours = choices("substitution", "add_remove"))
  person <- list(id = choices(NULL, NULL, 1:3, "a", ~x, odd_keys(), rep(1, 5)))
  gaps <- list(na = choices("fail", "fail", "middle", 0, c(x = 1), list(x = 1, f = "b"), "omit", NA))
  chain <- list(chains = choices(1, 2), steps = choices(5, 20))
  sampler <- list(sampler = choices("auto", "exact"))
  or_axes <- function() if (stats::runif(1) < 0.4) "axes" else fuzz_pools$directions()
  private <- list(
    dp_median_smooth = c(median, box, account, gaps, region = "method"),
    dp_median_exponential = c(median[1:2], account, gaps, sampler, prior = "prior",
                              directions = or_axes, smooth = choices(NULL, NULL, 3),
                              depth = choices("halfspace", "halfspace", "simplicial", "spatial", "irw", "idd",
                                              "spatial_modified", "idd_smooth")),
    dp_quantile = c(median, box, account, gaps, probs = choices(0.5, c(0.1, 0.9), 1:30 / 31, 2, NA),
                    prior = choices(NULL, NULL, prior_uniform(-3, 3), prior_dyadic()),
                    resolution = "resolution", interval = choices(NULL, NULL, 0.9),
                    simultaneous = choices(FALSE, FALSE, TRUE)),
    dp_ecdf = c(median[1:2], box, account, gaps, band = choices(NULL, 0.9, 2), resolution = "resolution",
                spread = choices(NULL, 0.1, 1e-6, -1),
                prior = choices(NULL, NULL, prior_uniform(-3, 3), prior_dyadic())),
    dp_region = c(x = "plane", median[2:3], box, account, gaps, person, level = choices(0.5, 0.2, 0.9, 2),
                  prior = choices(NULL, NULL, prior_uniform(-3, 3)), measure = choices("mass", "depth"),
                  directions = choices(NULL, 2, 3), fence = choices(3, NULL)),
    dp_depth = c(points = choices(0, c(0, 1), diag(2), matrix(0.5, 3, 3), 1:9), data = "data", median[2:3],
                 box, account, gaps, person, prior = choices(NULL, NULL, prior_uniform(-3, 3)),
                 directions = or_axes, smooth = choices(NULL, NULL, 3), resolution = choices(NULL, NULL, 0.1),
                 depth = choices("halfspace", "simplicial", "spatial", "irw", "idd", "idd_smooth")),
    dp_median = c(median, box, account, gaps, prior = choices(NULL, NULL, prior_uniform(-3, 3)),
                  interval = choices(NULL, NULL, NULL, 0.95),
                  method = choices("auto", "exponential", "marginal", "smooth", "restricted", "projection",
                                   "interior")),
    dp_interior_point = c(median, account, gaps, either, person),
    dp_test = c(median[1:2], account, either, person, y = choices(NULL, NULL, 1:9, c(0, NA)), mu = "number",
                paired = choices(FALSE, FALSE, TRUE), share = choices(NULL, NULL, NULL, 0.2),
                test = choices(NULL, NULL, "rank", "sign", "balance", "quadrant"),
                interval = choices(NULL, NULL, NULL, 0.9), lower = choices(NULL, NULL, -9),
                upper = choices(NULL, NULL, 9), resolution = choices(NULL, NULL, NULL, 0.1),
                alternative = choices("two.sided", "greater", "less")),
    dp_median_restricted = c(median, account, gaps, level = choices(2, 3, 0.2, 30), share = "share",
                             resolution = "resolution", outliers = choices(0, 0, 0.2)),
    dp_median_projection = c(median, projection, account, gaps,
                             units = choices(NULL, 1, 10, c(1, 2)), resolution = "resolution",
                             try_anyway = choices(TRUE, TRUE, FALSE)),
    dp_regression = c(formula = "formula", data = "frame", median[2:3], box, account, gaps,
                      method = choices("auto", "exponential", "batches", "batches", "deepest", "medsweep"),
                      tau = choices(NULL, NULL, 0.25, c(0.1, 0.9)), at = choices(NULL, NULL, c(0, 1)),
                      interval = choices(NULL, NULL, 0.9), size = choices(NULL, NULL, NULL, NULL, 4)),
    dp_regression_exponential = c(formula = "formula", data = "frame", median[2], box, account, gaps,
                                  tau = choices(0.5, 0.5, 0.25, c(0.1, 0.9)),
                                  at = choices(NULL, NULL, c(0, 1)),
                                  directions = choices(NULL, NULL, 8), interval = choices(NULL, NULL, 0.9)),
    dp_regression_batches = c(formula = "formula", data = "frame", median[2:3], box, account, gaps,
                              size = choices(NULL, NULL, 4), unit = choices(NULL, 0.1),
                              interval = choices(NULL, NULL, 0.9), pairs = choices(FALSE, FALSE, TRUE),
                              simultaneous = choices(FALSE, FALSE, TRUE, NA)),
    dp_regression_deepest = c(formula = "formula", data = "frame", median[2:3], box, account, gaps),
    dp_regression_medsweep = c(formula = "formula", data = "frame", median[2:3], box, account, gaps,
                               max_iter = choices(1, 2, 0), tol = choices(0, 0.1)),
    dp_tally = c(tbl = "data", box, gaps, vars = choices(NULL, c("y", "x"), 1),
                 id = choices(NULL, "x", ~x, odd_keys(), 1:3), resolution = choices(NULL, 1),
                 by = choices(NULL, TRUE, ~y, ~ x + y, odd_keys(), 1:20), table = choices(NULL, "t"),
                 refine = choices(FALSE, TRUE, 7), directions = choices(NULL, cbind(1, 1:2)), rng = "rng"),
    dp_mean = c(median, box, account, gaps, person),
    dp_correlation = c(median, account, gaps, either, person, method = choices("kendall", "sine", "tau"),
                       interval = choices(NULL, NULL, 0.9, 2)),
    dp_scale = c(median[1:2], box, account, gaps, either, person, statistic = choices("mad", "iqr", "sd"),
                 interval = choices(NULL, NULL, 0.9), constant = choices(NULL, 1, -1),
                 resolution = "resolution"),
    dp_mestimate = c(x = "rows", median[2:3], box, account, gaps,
                     scale = choices(1, NULL, 0.1, c(1, 2), 1e-3),
                     psi = choices("huber", "tukey", "logistic"), tuning = choices(NULL, NULL, NULL, 2),
                     data = "perhaps",
                     x_lower = choices(NULL, -1), x_upper = choices(NULL, 2), either, person),
    dp_histogram = c(median, account, gaps, person,
                     breaks = choices(NULL, NULL, 0:3, c(-Inf, 0, Inf), 2:1, "log2"),
                     levels = choices(NULL, NULL, c("a", "b"), 0:1, odd_keys()),
                     width = choices(NULL, 1, 1e-300, 1e300, 0.1), origin = choices(0, 0, 0.5, 1e300),
                     either),
    dp_summary = c(data = "frame", median[2], box, account, person, either,
                   by = choices(NULL, NULL, ~x, ~ x + y, y ~ x, "x", odd_keys()),
                   resolution = choices(NULL, 1, c(x = 1), "type"), na = choices("fail", "omit", "middle"),
                   quantiles = choices(0.5, 1:3 / 4, 2, NULL), groups = choices("private", "public"),
                   levels = choices(NULL, NULL, 1:3, NA, odd_keys(), list(x = 1:2, y = 0:1))),
    dp_by = c(median, box, account,
              by = choices(1:3, c(TRUE, FALSE), "a", ~x, ~ x + y, y ~ x, odd_keys(), NULL),
              release = choices(dp_median, dp_quantile, mean),
              levels = choices(NULL, NULL, 1:3, NA, odd_keys(), list(x = 1:2)),
              groups = choices("private", "private", "public")),
    ptr = c(margin = "margin", release = "release", share = "share", n = "count", median[2:3], account),
    dp_ledger = median[2:3],
    plan_median = c(n = choices(NULL, 100, 5000), d = "dimension", median[2:3], box,
                    prior = choices(NULL, NULL, prior_normal(0, 3)), spread = choices(NULL, 1),
                    error = choices(NULL, NULL, 0.1), method = choices(NULL, NULL, "projection"), pair,
                    directions = choices(1, 5, 20)),
    plan_interior_point = c(n = choices(100, 500, 0), median[2:3], alpha = choices(NULL, 0.2, 1),
                            success = "share",
                            law = choices(stats::rnorm, mean), share = "share", widths = "count",
                            simulate = choices(1, 3)),
    plan_regression = c(n = choices(NULL, 100, 5000), p = "dimension", median[2:3], box,
                        tau = choices(NULL, 0.25, c(0.1, 0.9), NA), interval = choices(NULL, NULL, 0.9),
                        prior = choices(NULL, NULL, prior_normal(0, 3)), error = choices(NULL, NULL, 0.1)),
    plan_region = c(n = choices(NULL, 100, 5000), level = choices(0.5, 0.2, 2), median[2:3], box,
                    measure = choices("mass", "depth"), directions = choices(NULL, 2, 3),
                    spread = choices(NULL, 1), error = choices(NULL, NULL, 0.1)),
    plan_mean = c(n = choices(NULL, 100, 5000), median[2:3], box, spread = "number",
                  error = choices(NULL, NULL, 0.1), either),
    plan_correlation = c(n = choices(NULL, 100, 5000), d = "dimension", median[2:3],
                         interval = choices(NULL, 0.9), error = choices(NULL, NULL, 0.1)),
    plan_histogram = c(n = choices(NULL, 100, 5000), median[2:3], error = choices(NULL, 0.1), either),
    plan_mestimate = c(n = choices(NULL, 100, 5000), median[2:3], box, scale = choices(1, NULL, 1e-3), either,
                       psi = choices("huber", "tukey", "logistic"), error = choices(NULL, NULL, 0.1),
                       x_lower = choices(NULL, NULL, 0), x_upper = choices(NULL, NULL, c(1, 2))),
    plan_summary = c(n = choices(NULL, 100, 5000), median[2], error = choices(NULL, 0.1),
                     variables = choices(list(a = 2, b = c(0, 1)), list(a = 0),
                                         list(b = c(-1e300, 1e300)), 1:2),
                     count = choices(1, 3, 0), spread = choices(NULL, 1, -1), quantiles = choices(0.5, 1)),
    plan_by = c(sizes = choices(c(a = 100, b = 500), 50, -1, NULL), median[2:3], box,
                plan = choices(plan_median, plan_mean, mean), groups = choices("private", "public")),
    plan_test = c(n = choices(NULL, 100), median[2], effect = choices(0.3, 0), power = choices(NULL, 0.5),
                  interval = choices(NULL, NULL, NULL, 0.9)),
    plan_depth = c(n = choices(NULL, 100, 5000), median[2:3], points = "count", error = choices(NULL, 0.01)),
    group_cost = c(rows = "count", median[2:3]),
    plan_ecdf = c(n = choices(NULL, 5000), median[2], band = choices(0.95, 2), height = choices(NULL, 0.2),
                  box, spread = choices(NULL, 0.1, -1)),
    plan_quantile = c(n = choices(NULL, 100, 5000), probs = choices(0.5, 1:9 / 10, 0, NA), median[2:3], box,
                      prior = choices(NULL, NULL, prior_uniform(-3, 3)), spread = "number",
                      error = choices(NULL, 0.01)),
    sampler_diagnostics = c(median, box, projection, chain, prior = choices(NULL, prior_uniform(-3, 3)),
                            method = choices("exponential", "projection"),
                            sampler = choices("mcmc", "langevin"), rng = "rng")
  )
  c(private, fuzz_calls_rivals(median, account, gaps, box, projection),
    fuzz_calls_nonprivate(pair, projection, box))
}

# Of each method the arguments that it takes.
fuzz_calls_rivals <- function(median, account, gaps, box, projection) {
  rows <- c(list(formula = "formula", data = "frame"), median[2:3], account, gaps)
  line <- c(rows, list(x_lower = "low", x_upper = "high"), box)
  pure <- line[setdiff(names(line), "delta")]
  data <- c(median, account, gaps)
  chain <- c(data[names(data) != "delta"], list(prior = "prior", directions = choices(NULL, 3, diag(2)),
             chains = choices(1, 2), steps = choices(5, 1000), smooth = choices(NULL, NULL, 3)))
  scaled <- c(data, box, scale = choices(1, 1, 0.1, c(1, 2)), psi = choices("huber", "tukey", "logistic"))
  list(
    rival_regression = function() {
      pick(list(
        c(pure, method = choices("noisystats")),
        c(pure, method = choices("theilsen"), type = choices("exponential", "widened", "smooth"),
          matchings = choices(1, 3, 5L, "all"), width = "number"),
        c(line, method = choices("gradient"), steps = choices(1, 5), clip = "number"),
        c(line, method = choices("adassp")),
        c(rows, method = choices("tukeyem"), batches = choices(NULL, 8, 20), resolution = "resolution"),
        c(rows[names(rows) != "delta"], method = choices("chain"), box, tau = choices(0.5, 0.25, c(0.1, 0.9)),
          prior = choices(NULL, NULL, prior_normal(0, 3)), chain[c("directions", "chains", "steps")]),
        c(rows, method = choices("random_dp"), box, gamma = choices(0.1, 1 - 1e-9))
      ))
    },
    rival_median = function() {
      pick(list(
        c(chain, depth = choices("halfspace", "simplicial", "spatial", "irw", "idd", "idd_smooth")),
        c(chain, method = choices("langevin")),
        c(data, projection, chain[c("chains", "steps")], depth = choices("projection"),
          method = choices("chain", "langevin")),
        c(data, method = choices("random_dp"), gamma = "share", region = "method", range = "number")
      ))
    },
    rival_mean = c(data, center = choices(0, 1, c(1, 2)), radius = "number", steps = choices(1, 3),
                   covariance = choices(NULL, 2, c(1, 3), diag(2))),
    rival_interior_point = data,
    rival_mestimate = scaled
  )
}

fuzz_calls_nonprivate <- function(pair, projection, box) {
  depth <- list(x = "data", data = "data", directions = "directions")
  shape <- c(depth, pair, trim = "share", blocks = "count", method = choices("directional", "refined"))
  laws <- list(depth = choices("halfspace", "irw", "idd"), distribution = choices("gaussian", "cauchy"),
               d = "dimension", scale = "number", smooth = choices(Inf, 1, 10), directions = choices(5, 20))
  model <- list(formula = "formula", data = "frame")
  bounds <- c(box, beta = "number")
  list(
    depth_halfspace = c(depth, method = choices("auto", "exact", "directional", "refined")),
    depth_idd = c(depth,
                  smooth = "number"), depth_irw = depth, depth_projection = shape, outlyingness = shape,
    depth_spatial = c(depth[1:2], modified = "flag"),
    depth_simplicial = c(depth[1:2], tuples = "tuples", seed = "count"),
    depth_region = list(data = "plane", level = choices(NULL, 0.1, c(0.2, 0.4), 1),
                        method = choices("auto", "sweep", "cuts")),
    depth_regression = list(fits = "plane", x = "data", y = "line", method = "method",
                            directions = choices(5, 20)),
    median_tukey = c(depth[2:3], method = "method"), median_spatial = depth[2], median_irw = depth[2:3],
    median_idd = c(depth[2:3], smooth = "number"),
    median_projection = shape[setdiff(names(shape), c("x", "method"))],
    regress_deepest = model, regress_medsweep = c(model, tol = "number", max_iter = choices(1, 3, 20)),
    influence_function = list(x = "line", psi = choices("huber", "tukey", "logistic"), scale = "number",
                              tuning = choices(NULL, 2), at = choices(NULL, 1, c(0, 1e308))),
    sens_mestimate = c(x = "line", bounds, psi = choices("huber", "logistic"), scale = "number",
                       eta = "share"),
    sens_median = c(x = "line", bounds), sens_deepest = c(x = "line", y = "line", bounds),
    sens_tukey = c(x = "data", bounds, method = choices("exact", "directional")),
    sens_medsweep = c(u = "line", v = "line", bounds),
    margin_projection = c(x = "data", epsilon = "epsilon", delta = "delta", projection,
                               levels = "count"),
    smooth_noise = list(epsilon = "epsilon", delta = "delta", d = choices(1, 2, 3),
                        choice = choices("joint", "textbook"), beta = choices(NULL, 0.01, 0.5)),
    dilation_beta = list(epsilon = "epsilon", delta = "delta", d = "dimension"),
    directions = list(d = "dimension", n = choices(1, 3, 10), seed = "count",
                      type = choices("axes+uniform", "uniform")),
    discrepancy = c(laws, t = choices(NULL, 0, 0.1, 1, c(0.1, 0.5)), alpha = choices(NULL, NULL, 0.01, 0.4)),
    prior_normal = list(mean = "bound", sd = "number",
                        covariance = choices(NULL, NULL, diag(2), matrix(c(1, 0.5, 0.5, 1), 2))),
    prior_dyadic = list(unit = "number", origin = "bound"),
    prior_uniform = list(lower = "bound", upper = "bound"),
    audit_privacy = list(mechanism = choices(function(x) x[[1]] + stats::runif(1), stats::median, "a"),
                         data = choices(0, 1:3), neighbour = choices(1, 2:4), epsilon = "epsilon",
                         draws = choices(100, 300, 0), level = "share", exact = "flag"),
    simulate_releases = list(design = choices(list(n = 5), data.frame(n = c(5, 9)), 1),
                             replicates = choices(1, 2),
                             draw = choices(function(n) stats::rnorm(n), 1),
                             estimate = choices(stats::median, list(a = stats::median, b = mean), NULL),
                             seed = "count"),
    dpdepth_threads = list(threads = choices(NULL, 1,
                                             2)), glance = list(x = "result"), tidy = list(x = "result")
  )
}

# Pools of data: private.
fuzz_data <- c("data", "line", "plane", "frame", "margin", "rows", "perhaps")
