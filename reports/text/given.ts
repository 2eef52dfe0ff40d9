/** Members that are there only where they have a value. */

/** The members without those that are undefined, for an object in which they are optional. */
export const given = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
