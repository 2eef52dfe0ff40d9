/** Leaves out members without a value. */

/** Removes undefined members, for objects with optional members. */
export const given = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
