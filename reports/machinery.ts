/** All that a report takes, in one place: the reporter loads it while the first stories are told. */
export { collect } from './collect.ts';
export { writeReport } from './files.ts';
export { fold } from './fold.ts';
export { annotations } from './renderings/annotations.ts';
export { jobSummary } from './renderings/summary.ts';
export { summary } from './terminal.ts';
