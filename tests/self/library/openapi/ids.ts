import type { createdResources } from './created.ts';

export const areas = ['books'] as const;
export type Area = (typeof areas)[number];
export type Created = keyof typeof createdResources;

interface Borrowing {
  data: { borrowing: string; due: number };
}
export interface Answers {
  listBooks: { data: { books: { book: string; title: string }[] } };
  borrowBook: Borrowing;
  queryBorrowing: Borrowing;
}
export type CreatedThing = 'borrowing';
export type OperationId = keyof Answers;
export type OperationWithoutInputs = 'listBooks';
