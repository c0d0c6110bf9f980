# Help page on randomness: the sources, and what the promise covers.

#' Randomness
#'
#' A private release is as good as its noise is unpredictable. By default all noise comes from the
#' operating system's entropy: `getrandom()` on Linux, `arc4random_buf()` on macOS and the BSDs,
#' `BCryptGenRandom()` on Windows. It cannot be seeded and never repeats, also not in forked workers.
#' If it fails, the call fails with an error of class `dpdepth_error_entropy` and releases nothing;
#' there is no weaker source to fall back on.
#'
#' @section Simulation:
#' Whoever knows the seed knows the noise, so R's own stream is not for release. To repeat a
#' simulation, choose it for a call by `rng = "R"`, or for a session by `options(dpdepth.rng = "R")`,
#' together with [set.seed()]. The release then says `rng = "R"` and prints "not for release". The
#' argument `rng` goes before the option; `rng = "system"` makes a release in any session. With
#' the default source, `.Random.seed` is neither read nor changed.
#'
#' Public randomness is another matter: [directions()] come from a generator of their own with a
#' public seed.
#'
#' @section Threat model:
#' *Trusted*: the curator's machine, the R session, this package, the operating system's entropy.
#'
#' *The adversary* sees every released object (its saved file, prints, plots, warnings, whether a call
#' failed), knows all rows but one, and may have chosen rows and public parameters.
#'
#' *Public*: the number of rows, bounds, priors, directions, names of columns, the formula, factor
#' levels, the step of the lattice that releases lie on.
#'
#' *Not covered*: the time and memory that a call takes, malicious code in the session, and releases with
#' `rng = "R"`.
#'
#' Within this model the guarantee is meant for the code and not only for the formula: estimates
#' are drawn on a public lattice by samplers that work in exact integers, so that the rounding of
#' floating-point numbers gives nothing away.
#' @references
#' Mironov, I. (2012). On significance of the least significant bits for differential privacy. *CCS '12*.
#' \doi{10.1145/2382196.2382264}
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy.
#' *NeurIPS 33*. \doi{10.48550/arXiv.2004.00010}
#' @examples
#' # simulate reproducibly in this session, and back
#' old <- options(dpdepth.rng = "R")
#' set.seed(1)
#' options(old)
#' @name dpdepth_rng
#' @aliases dpdepth.rng
NULL
