# SPDX-License-Identifier: MIT
# fleet.sh - the profiles of a fleet (tests/fleet/served.c, tests/tools/make_fleet.c) for tests. Sourced.
#
#   make_builds FIRST LAST   records these builds of the server once each, into builds/N.zp; a build takes a third of a second
#   make_fleet_of N HOSTS    makes fleet/, N profiles of these builds on HOSTS machines
#   make_whole_fleet         both, of a size that FLEET asks for; builds 24 and 25 are among them
#   version_of N             the build-id of build N
#
# FLEET is the number of profiles that a test makes; `make test-long` sets it to 10,000, of 50 builds on 200 hosts.
#
# The server runs with the clock that ticks once for each reading, so its times are numbers of hook events, the same each time.
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID
make_builds() {
	mkdir -p builds
	for build in $(seq "$1" "$2"); do
		gcc -g -O1 -finstrument-functions "-DBUILD=$build" "-DBUILD_TEXT=\"$build\"" "$root/tests/fleet/served.c" \
			-Wl,--build-id -o "builds/served" || exit 1
		ZPROF_LIB=$ZPROF_BUILD/tests/libzprof-fake.so "$ZPROF_BUILD/zprof" record --quiet -o "builds/$build.zp" builds/served || exit 1
	done
	rm builds/served
}
make_fleet_of() {
	mkdir -p fleet
	# shellcheck disable=SC2046
	"$ZPROF_BUILD/tests/make_fleet" fleet "$1" "$2" $(ls builds/*.zp | sort -V) || exit 1
}
version_of() { "$ZPROF_BUILD/zprof" info "builds/$1.zp" | sed -n 's|^ *modules  .*builds/served  *||p'; }

FLEET=${FLEET:-400}
make_whole_fleet() {
	if [ "$FLEET" -ge 10000 ]; then make_builds 1 50 && make_fleet_of "$FLEET" 200; else make_builds 23 26 && make_fleet_of "$FLEET" 10; fi
}
