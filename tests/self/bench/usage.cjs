// Preloaded into every process of a measured run: writes its peak memory (MiB) when it ends.
const { appendFileSync } = require('node:fs');

process.once('exit', () => appendFileSync(process.env.BENCH_USAGE, `${process.resourceUsage().maxRSS / 1024}\n`));
