export type BankBehaviourId = 'books.lent-once';
