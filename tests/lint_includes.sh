#!/usr/bin/env bash
# Fails on an include that turns the order of the parts around. Usage: lint_includes.sh SOURCE_DIR
set -u
cd "$1" || exit 2
failures=0

# forbid REASON PATTERN PATH... [:(exclude)PATH...]
forbid() {
    local reason=$1 pattern=$2
    shift 2
    local found=() path hits
    for path in "$@"; do [ -e "$path" ] && found+=("$path"); done
    [ ${#found[@]} -gt 0 ] || return 0
    hits=$(grep -rnE --include='*.h' --include='*.cpp' "^[[:space:]]*#[[:space:]]*include[[:space:]]*$pattern" "${found[@]}")
    [ -n "${exclude:-}" ] && hits=$(printf '%s\n' "$hits" | grep -vE "^($exclude)")
    if [ -n "$hits" ]; then
        printf '%s:\n%s\n\n' "$reason" "$hits"
        failures=1
    fi
}

exclude='' forbid 'Qt inside core' '<Q' core
exclude='' forbid 'core looks at widgets or app' '"(widgets|app)/' core
exclude='' forbid 'widgets look at app' '"app/' widgets
exclude='widgets/plots/' forbid 'QCustomPlot outside widgets/plots' '[<"]qcustomplot' core widgets app
exclude='core/io/' forbid 'JSON library outside core/io' '<nlohmann/' core widgets
exclude='' forbid 'base looks up' '"core/(model|cluster|plan|memory|comm|compute|schedule|engine|search|io)/' core/base
exclude='' forbid 'cluster looks up' '"core/(plan|memory|comm|compute|schedule|engine|search|io)/' core/cluster
exclude='' forbid 'plan looks up' '"core/(memory|comm|compute|engine|search|io)/' core/plan
exclude='' forbid 'cost models look up' '"core/(engine|search|io)/' core/memory core/comm core/compute core/schedule
exclude='' forbid 'engine looks up' '"core/(search|io)/' core/engine

eigen=$(grep -rnE --include='*.h' '#[[:space:]]*include[[:space:]]*<Eigen/' core widgets app 2>/dev/null)
if [ -n "$eigen" ]; then
    printf 'Eigen in a header:\n%s\n' "$eigen"
    failures=1
fi
exit $failures
