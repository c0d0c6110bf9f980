# Private medians: the front door and the exponential mechanism over halfspace depth.

#' A private median
#'
#' Releases the median of one variable or the multivariate (Tukey) median of several under
#' differential privacy, with a method chosen from public facts: what was asked for, the number of
#' people and of variables. The release says which method it was and why.
#'
#' @param x Data, one individual a row: a numeric vector, matrix or data frame of numeric columns,
#'   without missing values.
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6; usual values lie between 0.1 and 10.
#' @param delta Zero for pure differential privacy. A method that needs no delta spends none, and its
#'   release says `delta = 0`.
#' @param method `"auto"`, see Details; `"exponential"` for [dp_median_exponential()], with bounds or a prior;
#'   `"smooth"` for [dp_median_smooth()], with bounds and `delta` above 0; `"restricted"` for
#'   [dp_median_restricted()] and `"projection"` for [dp_median_projection()], with neither bounds nor
#'   a prior, and `delta` above 0.
#' @param ... Further arguments of the method, such as `sampler` or `directions`.
#' @param lower,upper Public bounds of each variable, in its units: one number, or one a variable.
#'   They say where the median can lie; data outside them are welcome.
#' @param prior Instead of bounds, a public prior by [prior_uniform()] or [prior_normal()].
#' @param ledger A budget by [dp_ledger()] to spend from, or `NULL`.
#' @param rng `"system"` for operating-system entropy, `"R"` for R's stream (simulation only), or
#'   `NULL` for `getOption("dpdepth.rng")`. See [dpdepth_rng].
#' @details
#' With bounds or a prior, `"auto"` is the exponential mechanism. Without them, and with `delta` above 0, it
#' is the restricted exponential mechanism for one variable, and for two and three with up to 5000 rows (three
#' then take up to half a minute), if n is large enough that normal data would pass its private test
#' in 90% of cases; else the projection median with trimmed means and trimmed deviations (which withstands
#' less than a quarter of outliers; ask for `method = "projection"` to have the median and the MAD) if
#' `n * epsilon` is at least `2500 * sqrt(d)`, d variables; else the call is refused, and the error says what
#' would help.
#' Nothing of this looks at the data's values.
#' @return A [`dp_release`][dp_release]. Its `estimate` has one value a variable, in the variable's units.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, a spent ledger `dpdepth_error_budget`, a failed
#' entropy source `dpdepth_error_entropy`; then nothing has been released. See [dpdepth-errors].
#' @references
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians.
#' \doi{10.48550/arXiv.2210.06459}
#' @examples
#' # the median sepal of irises, under bounds that any botanist would grant
#' dp_median(iris[1:2], epsilon = 1, lower = 0, upper = c(20, 10))
#'
#' # no bounds: eruptions of Old Faithful, duration and waiting time in minutes
#' dp_median(faithful, epsilon = 2, delta = 1e-6)
#' @seealso The methods themselves: [dp_median_exponential()], [dp_median_smooth()],
#' [dp_median_restricted()] and [dp_median_projection()]; [median_tukey()] without privacy.
#' @export
dp_median <- function(x, epsilon, delta = 0, method = "auto", ..., lower = NULL, upper = NULL,
                      prior = NULL, ledger = NULL, rng = NULL) {
  check_given()
  call <- sanitize_call(match.call(), "x")
  x <- check_data(x)
  delta <- check_delta(delta, zero = TRUE)
  asked <- check_choice(method, c("auto", "exponential", "smooth", "restricted", "projection"), "method")
  limits <- list(prior = prior, lower = lower, upper = upper)
  limits <- limits[!vapply(limits, is.null, NA)]
  chosen <- if (asked == "auto") choose_median(x, epsilon, delta, limits) else asked
  if (chosen %in% c("restricted", "projection") && length(limits) > 0) {
    stop_input(names(limits)[[1]], "NULL for a method that takes no limits", describe(limits[[1]]))
  }
  if (chosen == "smooth" && !is.null(prior)) {
    stop_input("prior", "NULL for smooth sensitivity, which takes bounds", describe(prior))
  }
  release <- switch(chosen,
    exponential = dp_median_exponential(x, epsilon, prior = public_prior(prior, lower, upper), ...,
                                        ledger = ledger, rng = rng),
    smooth = dp_median_smooth(x, epsilon, delta, lower, upper, ..., ledger = ledger, rng = rng),
    restricted = dp_median_restricted(x, epsilon, delta, ..., ledger = ledger, rng = rng),
    projection = if (asked == "auto") trimmed_projection(x, epsilon, delta, ..., ledger = ledger, rng = rng)
                 else dp_median_projection(x, epsilon, delta, ..., ledger = ledger, rng = rng)
  )
  release$call <- call
  release$details$why <- choice_reason(asked, chosen, delta)
  release
}

# The method by public facts: limits, delta, epsilon, and the size of the data.
choose_median <- function(x, epsilon, delta, limits) {
  if (length(limits) > 0 || delta == 0) return("exponential")
  n <- nrow(x)
  d <- ncol(x)
  epsilon <- check_restricted_epsilon(epsilon)
  if (restricted_takes(n, d) && restricted_passes(n, d, epsilon, delta)) return("restricted")
  if (n * epsilon >= rows_for_projection(d)) return("projection")
  stop_input("x", enough_rows(n, d, epsilon, delta), sprintf("data with %d row%s", n, plural(n)))
}

# What "auto" takes: at the normal a tenth of the noise of median and MAD, and rounded data pass the test.
trimmed_projection <- function(x, epsilon, delta, location = "trimmed", scale = "trimmed", ...) {
  dp_median_projection(x, epsilon, delta, location = location, scale = scale, ...)
}

# The projection median serves about so many rows at epsilon = 1, and somewhat more with many variables.
rows_for_projection <- function(d) 2500 * sqrt(d)

# Rows that the restricted mechanism takes, in half a minute at most.
restricted_takes <- function(n, d) n >= 4 && d <= 3 && (d == 1 || n <= max_restricted_rows)

restricted_passes <- function(n, d, epsilon, delta) {
  restricted_plan(n, d, epsilon, max(delta, least_restricted_delta))$pass >= 0.9
}

# What would do, in a sentence for the error: a size that is larger, and not far from the smallest.
enough_rows <- function(n, d, epsilon, delta) {
  enough <- ceiling(rows_for_projection(d) / epsilon)
  size <- ceiling(32 * 1.25^(0:26))
  for (rows in size[size > n & size < enough]) {
    if (!restricted_takes(rows, d)) break
    if (restricted_passes(rows, d, epsilon, delta)) enough <- rows
    if (enough == rows) break
  }
  must <- "data with about %d rows for a median without limits with this epsilon and delta (or limits given)"
  sprintf(must, enough)
}

# Bounds or a prior, not both.
public_prior <- function(prior, lower, upper) {
  if (is.null(prior)) {
    if (is.null(lower) || is.null(upper)) {
      stop_input("prior", "given, or both `lower` and `upper`: public limits for the median", "missing")
    }
    return(prior_uniform(lower, upper))
  }
  if (!is.null(lower) || !is.null(upper)) {
    stop_input("prior", "NULL when `lower` or `upper` are given", describe(prior))
  }
  prior
}

# Why this method, in a sentence made of public facts only.
choice_reason <- function(asked, chosen, delta) {
  if (asked != "auto") return("the method asked for")
  if (chosen %in% c("restricted", "projection")) {
    return("no public limits are given, and it suits data of this size")
  }
  reason <- "public limits are given, so a pure guarantee is to be had"
  if (delta > 0) reason <- paste0(reason, " and delta is not needed")
  reason
}

#' Private median by the exponential mechanism
#'
#' Draws a point with probability proportional to `exp(epsilon * n * depth / 2)` times a public
#' prior: pure epsilon-differential privacy. In one dimension this is a private median, in
#' several a private Tukey median: it needs no moments and survives outliers.
#'
#' @inheritParams dp_median
#' @param depth The depth whose deepest point is the median: `"halfspace"`.
#' @param prior A public prior by [prior_uniform()] or [prior_normal()]; see there for matching
#'   names with the columns of `x`.
#' @param directions `NULL` for the default of the dimension; `"exact"` for halfspace depth itself
#'   (at most three variables); a count or a matrix made by [directions()] for the directional depth,
#'   the least depth along these directions only. Missing axes are added. Coordinates are divided
#'   by the prior's widths (or standard deviations) before directions apply to them.
#' @param sampler `"exact"`: a draw from the law itself; `"mcmc"`: the last state of a
#'   hit-and-run chain, whose guarantee holds up to the chain's distance from that law, so the
#'   release says `exact = FALSE`; `"auto"`: exact for up to seven variables.
#' @param chains,steps For `"mcmc"`: the number of chains and of steps a chain. By default four
#'   chains of `max(2000, 300 d)` steps. See [sampler_diagnostics()].
#' @details
#' **Law.** Let h(x) be the depth count of x: the least number of rows in a closed halfspace that
#' holds x, n times halfspace depth. Replacing one row moves h by at most one at every x, so the
#' density proportional to `exp(epsilon * h(x) / 2) * prior(x)` is epsilon-differentially private
#' (McSherry and Talwar, 2007, Theorem 6).
#'
#' **Grid.** Rows and candidates are rounded to a public grid whose step is a power of two fixed by the
#' prior (the release names it), and rows far outside the prior are moved to the grid's edge. Each row's
#' rounding depends on that row alone, so the guarantee is that of the rounded data, to the last bit.
#' A normal prior is cut off at 36 standard deviations.
#'
#' **Depth.** The default is halfspace depth itself for one or two variables, and the directional depth
#' over 1000 public directions for more: as private, and above halfspace depth. With three variables,
#' `directions = "exact"` asks for halfspace depth; each evaluation then costs n^2, and draws may take
#' long for more than some hundred rows or a large epsilon.
#'
#' **Exactness.** The exact sampler draws from the law by integer arithmetic on an adaptive tree of boxes.
#' The vignette `vignette("proofs", "dpdepth")` has the proof. How long it takes depends on
#' the data; timing is outside the threat model.
#' @return A [`dp_release`][dp_release] with `guarantee = "pure"`.
#' @inheritSection dp_median Errors
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6.
#' \doi{10.1109/FOCS.2007.66}
#'
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians,
#' section 2. \doi{10.48550/arXiv.2210.06459}
#' @examples
#' # sepal length and width of irises, in cm, with a prior that is public knowledge
#' dp_median_exponential(iris[1:2], epsilon = 1, prior = prior_normal(mean = 5, sd = 5))
#' @export
dp_median_exponential <- function(x, epsilon, depth = "halfspace", prior, directions = NULL,
                                  sampler = c("auto", "exact", "mcmc"), chains = 4L, steps = NULL,
                                  ledger = NULL, rng = NULL) {
  check_given()
  call <- sanitize_call(match.call(), "x")
  x <- check_data(x)
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  depth <- check_choice(depth, "halfspace", "depth")
  prior <- prior_for(prior, d, colnames(x))
  sampler <- choose_sampler(check_choice(sampler, c("auto", "exact", "mcmc"), "sampler"), d)
  plan <- plan_depth(directions, d, sampler)
  source <- check_rng(rng)
  size <- chain_size(chains, steps, d)
  step <- lattice_steps(prior, plan$exact, variable_names(x))
  if (sampler == "mcmc") check_chain_memory(nrow(x), d, epsilon, plan$directions)

  ledger_spend(ledger, epsilon, 0, "median (exponential mechanism)")
  drawn <- if (sampler == "exact") {
    .Call(ffi_median_exp, source, x, prior_fields(prior), epsilon, plan$exact, plan$directions, 1L)
  } else {
    .Call(ffi_median_chain, source, x, prior_fields(prior), epsilon, plan$directions, size$chains,
          size$steps, FALSE)
  }
  new_release(
    estimate = stats::setNames(drawn$draws[1, ], variable_names(x)), epsilon = epsilon,
    guarantee = "pure", mechanism = "exponential mechanism over halfspace depth",
    n = nrow(x), d = d, exact = sampler == "exact", rng = source, call = call,
    details = c(
      list(what = "median", prior = prior, depth = plan$label),
      if (sampler == "mcmc") list(chain = sprintf("%d chains of %d steps", size$chains, size$steps)),
      list(step = step)
    )
  )
}

# Exact draws are the rule up to this many variables: beyond, their cost grows too fast.
max_exact_variables <- 7L

choose_sampler <- function(sampler, d) {
  if (sampler != "auto") return(sampler)
  if (d <= max_exact_variables) "exact" else "mcmc"
}

chain_size <- function(chains, steps, d) {
  if (is.null(steps)) steps <- max(2000L, 300L * d)
  list(chains = check_count(chains, "chains", upper = 1000L),
       steps = check_count(steps, "steps", upper = 1e7))
}

# Which depth: exact halfspace depth or its minimum over directions, by public sizes only.
# Directions are also what bounds the exact depth over a box.
plan_depth <- function(directions, d, sampler) {
  exact <- identical(directions, "exact")
  if (exact && d > 3) {
    stop_input("directions", "a count or a matrix: exact depth takes at most 3 variables", "\"exact\"")
  }
  if (exact && sampler == "mcmc" && d > 1) {
    stop_input("directions", "a count or a matrix with sampler = \"mcmc\"", "\"exact\"")
  }
  if (is.null(directions)) exact <- d == 1 || (sampler == "exact" && d == 2)
  if (exact) return(list(exact = TRUE, directions = bounding_directions(d), label = "halfspace, exact"))
  if (is.null(directions)) directions <- max(1000L, d)
  set <- as_directions(directions, d, add_axes = TRUE)
  list(exact = FALSE, directions = set, label = sprintf("halfspace, along %d directions", nrow(set)))
}

# The steps of the public grid; a prior too narrow for doubles has none. Public facts only.
lattice_steps <- function(prior, exact, names) {
  step <- .Call(ffi_median_steps, prior_fields(prior), exact)
  if (is.null(step)) {
    stop_input("prior", "wide enough for a grid of doubles at its place", "one without room for a grid")
  }
  stats::setNames(step, names)
}

# The chain keeps the order statistics of all ranks that can carry weight, along all directions:
# at most 400 MB, judged by public facts.
check_chain_memory <- function(n, d, epsilon, directions) {
  ranks <- min(n, 2 * (24 * d + 740) / epsilon + n / 20)
  most <- floor(24 * 2^20 / ranks)
  if (nrow(directions) > most) {
    stop_input("directions", sprintf("at most %d for sampler = \"mcmc\" with this n and epsilon", most),
               nrow(directions))
  }
}

bounding_directions <- function(d) {
  if (d == 1) return(matrix(1))
  if (d == 3) return(directions(3, 1000L))
  angle <- pi * (0:63) / 64
  cbind(cos(angle), sin(angle))
}

prior_fields <- function(prior) {
  if (inherits(prior, "dp_prior_normal")) return(list(TRUE, prior$mean, prior$sd))
  list(FALSE, prior$lower, prior$upper)
}

variable_names <- function(x) {
  if (!is.null(colnames(x))) return(colnames(x))
  if (ncol(x) == 1) "x" else paste0("x", seq_len(ncol(x)))
}
