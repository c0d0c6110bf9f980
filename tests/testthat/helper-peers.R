# What other packages find, for tests that agree with them: kept in peers.txt, so that `make test` can do
# without them.

# The values of that name. `theirs` is evaluated only where the package is installed (R CMD check asks for
# it), and must then be what is kept. A line is made by add_peer(name, theirs).
peer_values <- function(name, package, theirs) {
  lines <- strsplit(readLines(test_path("peers.txt")), " ", fixed = TRUE)
  names(lines) <- vapply(lines, `[[`, "", 1)
  kept <- as.numeric(lines[[name]][-1])
  if (requireNamespace(package, quietly = TRUE)) expect_equal(as.vector(theirs), kept)
  kept
}

add_peer <- function(name, theirs) {
  cat(name, format(theirs, digits = 15, trim = TRUE, scientific = FALSE, drop0trailing = TRUE), "\n",
      file = file.path("tests", "testthat", "peers.txt"), append = TRUE)
}
