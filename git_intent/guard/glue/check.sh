# What is about to be committed is checked; the last word, after all other hooks.
code=0
if command -v git-intent >/dev/null 2>&1; then
    git-intent check --hook || code=$?
elif @PYTHON@ -c 'import git_intent' >/dev/null 2>&1; then
    @PYTHON@ -m git_intent check --hook || code=$?
else
    code=127
fi
if [ "$code" -ge 126 ]; then
    printf '%s\n' "git-intent: the @HOOK@ hook found no git-intent that runs" \
        "  put it on the PATH and commit again; --no-verify commits unchecked" >&2
fi
[ "$code" -eq 0 ] || exit 1
