/** All that a report takes, in one place: the reporter loads it while the first scenarios are told. */
export { collect } from '../journal/collect.ts';
export { writeReport } from '../formats/write-report.ts';
export { fold } from '../fold/index.ts';
export { annotations } from '../formats/github.ts';
export { jobSummary } from '../formats/markdown.ts';
export { summary } from '../formats/terminal.ts';
