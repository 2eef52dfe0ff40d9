/** How many mixtures are drawn: the first ones are the same, however many there are. */
export const mixtureSeed = 1;
export const sampled = 20;
export const allMixtures = 200;
