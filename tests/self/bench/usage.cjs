// Preloaded into every process of a measured run: what it used is written down when it ends.
const { appendFileSync } = require('node:fs');

process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const line = { cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMiB: maxRSS / 1024 };
  appendFileSync(process.env.BENCH_USAGE, `${JSON.stringify(line)}\n`);
});
