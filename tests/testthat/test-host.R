# The setting of threads: its value, its change, its refusals; what moves progress bars, and that private
# mechanisms have none.

test_that("dpdepth_threads() returns the old value and sets the new one", {
  old <- dpdepth_threads()
  on.exit(options(dpdepth.threads = old))
  expect_gte(old, 1)
  expect_identical(dpdepth_threads(1), old)
  expect_identical(dpdepth_threads(), 1L)
})

test_that("a bad number of threads is refused", {
  expect_error(dpdepth_threads(0), class = "dpdepth_error_input")
  expect_error(dpdepth_threads(1.5), class = "dpdepth_error_input")
  expect_error(dpdepth_threads("two"), class = "dpdepth_error_input")
  expect_error(dpdepth_threads(NA), class = "dpdepth_error_input")
})

test_that("checks get at most two threads", {
  before <- Sys.getenv("_R_CHECK_LIMIT_CORES_", NA)
  on.exit(if (is.na(before)) Sys.unsetenv("_R_CHECK_LIMIT_CORES_")
          else Sys.setenv("_R_CHECK_LIMIT_CORES_" = before))
  Sys.setenv("_R_CHECK_LIMIT_CORES_" = "TRUE")
  expect_lte(default_threads(), 2L)
})

# default_threads() with these environment variables, groups and files of a control group's tree.
threads_with <- function(env = character(0), groups = character(0), files = list(), cores = 16) {
  names <- c("_R_CHECK_LIMIT_CORES_", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT")
  old <- Sys.getenv(names, NA, names = TRUE)
  root <- tempfile("cgroup")
  on.exit({
    Sys.unsetenv(names)
    if (!all(is.na(old))) do.call(Sys.setenv, as.list(old[!is.na(old)]))
    unlink(root, recursive = TRUE)
  })
  Sys.unsetenv(names)
  if (length(env) > 0) do.call(Sys.setenv, as.list(env))
  dir.create(root)
  writeLines(groups, file.path(root, "groups"))
  for (name in names(files)) {
    dir.create(dirname(file.path(root, name)), FALSE, TRUE)
    writeLines(files[[name]], file.path(root, name))
  }
  default_threads(cores, file.path(root, "groups"), root)
}

test_that("the default follows OpenMP's settings and checks", {
  expect_identical(threads_with(), 16L)
  expect_identical(threads_with(cores = NA), 1L)
  expect_identical(threads_with(c(OMP_NUM_THREADS = "3")), 3L)
  expect_identical(threads_with(c(OMP_NUM_THREADS = " 4,2")), 4L)
  expect_identical(threads_with(c(OMP_NUM_THREADS = "6", OMP_THREAD_LIMIT = "5")), 5L)
  expect_identical(threads_with(c(OMP_NUM_THREADS = "64")), 16L)
  for (bad in c("0", "-1", "many", "1e3", "")) expect_identical(threads_with(c(OMP_NUM_THREADS = bad)), 16L)
  expect_identical(threads_with(c("_R_CHECK_LIMIT_CORES_" = "TRUE")), 2L)
  expect_identical(threads_with(c("_R_CHECK_LIMIT_CORES_" = "warn", OMP_NUM_THREADS = "1")), 1L)
  expect_identical(threads_with(c("_R_CHECK_LIMIT_CORES_" = "false")), 16L)
})

test_that("the default follows the quotas of control groups", {
  two <- "0::/a/b"
  expect_identical(threads_with(groups = two, files = list("a/b/cpu.max" = "250000 100000")), 3L)
  above <- list("a/cpu.max" = "100000 100000", "a/b/cpu.max" = "max 100000")
  expect_identical(threads_with(groups = two, files = above), 1L)
  expect_identical(threads_with(groups = two, files = list("a/b/cpu.max" = "max 100000")), 16L)
  # inside a container: the path is the host's
  expect_identical(threads_with(groups = two, files = list(cpu.max = "50000 100000")), 1L)
  one <- c("5:cpu,cpuacct:/docker/x", "4:memory:/docker/x")
  quota <- function(at, us) {
    stats::setNames(list(us, "100000"), file.path(at, c("cpu.cfs_quota_us", "cpu.cfs_period_us")))
  }
  expect_identical(threads_with(groups = one, files = quota("cpu,cpuacct/docker/x", "400000")), 4L)
  expect_identical(threads_with(groups = one, files = quota("cpu", "200000")), 2L)
  expect_identical(threads_with(groups = one, files = quota("cpu", "-1")), 16L)
  expect_identical(threads_with(groups = one, files = quota("memory/docker/x", "100000")), 16L)
  expect_identical(threads_with(groups = c("", "nonsense", "0::"), files = list(cpu.max = "what")), 16L)
})

# -- progress bars ---------------------------------------------------------------------------------------

# What a bar is told while `code` runs: the shares that are done, and whether it was closed.
bar_of <- function(code) {
  seen <- list(labels = NULL, shares = NULL, closed = 0)
  open <- function(label) {
    seen$labels <<- c(seen$labels, label)
    list(move = function(done, total) seen$shares <<- c(seen$shares, done / total),
         close = function() seen$closed <<- seen$closed + 1)
  }
  old <- options(dpdepth.progress = TRUE)
  on.exit(options(old))
  with_bindings(list(open_bar = open), code)
  seen
}

test_that("depths, medians and regressions move a bar up to the end, and close it", {
  skip_on_cran()
  x <- as.matrix(faithful)
  u <- directions(2, 50)
  calls <- list(
    function() depth_halfspace(x, x), function() depth_halfspace(x, x, "directional", u),
    function() depth_simplicial(x[1:20, ], x[1:20, ]), function() depth_simplicial(x[1:5, ], x, tuples = 100),
    function() depth_spatial(x, x), function() depth_irw(x, x, u), function() depth_idd(x, x, directions = u),
    function() depth_idd(x, x, 10, u), function() outlyingness(x, x, directions = u),
    # the median, a line, all fits through rows, and steps
    function() median_tukey(x, "directional", u), function() regress_deepest(eruptions ~ waiting, faithful),
    function() regress_deepest(stack.loss ~ Air.Flow + Water.Temp, stackloss, directions = 20),
    function() regress_deepest(Petal.Width ~ Petal.Length + Sepal.Length, iris, directions = 20)
  )
  for (call in calls) {
    seen <- bar_of(call())
    expect_length(seen$labels, 1)
    expect_false(is.unsorted(seen$shares, strictly = TRUE))
    expect_identical(seen$shares[[length(seen$shares)]], 1)
    expect_identical(seen$closed, 1)
  }
  expect_null(progress$move)
})

test_that("a bar is closed after an error, is not opened within another, and not where none is wanted", {
  seen <- bar_of(try(with_progress_bar("outer", {
    with_progress_bar("inner", move_progress(1, 4))
    stop("on the way")
  }), silent = TRUE))
  expect_identical(seen, list(labels = "outer", shares = 0.25, closed = 1))
  expect_null(progress$move)
  old <- options(dpdepth.progress = FALSE)
  on.exit(options(old))
  expect_identical(with_progress_bar("none", 3, open = function(label) stop("opened")), 3)
})

test_that("private releases open no bar", {
  seen <- bar_of({
    dp_median(faithful, 1, lower = 0, upper = c(10, 180))
    dp_median(faithful$waiting, 1, 1e-6, lower = 0, upper = 180, method = "smooth")
    dp_depth(faithful[1:3, ], faithful, 1)
    dp_region(faithful, 0.5, 1, lower = 0, upper = c(10, 180))
    dp_regression(waiting ~ eruptions, faithful, 1, lower = -100, upper = 100)
  })
  expect_null(seen$labels)
})

test_that("cli's bar opens, moves and closes", {
  skip_if_not_installed("cli")
  bar <- open_bar("any")
  expect_silent(bar$move(1, 2))
  expect_silent(bar$close())
})
