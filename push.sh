cd /tmp/h-core
for i in 1 2 3; do
  git pull --rebase -q || { git status | head -30; exit 1; }
  npm run -s typecheck || exit 1
  git push -q origin HEAD:main && { echo pushed; git status -sb | head -1; exit 0; }
done
