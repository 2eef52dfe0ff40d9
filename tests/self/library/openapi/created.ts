export const createdResources = {
  borrowings: { name: 'borrowing', variable: 'MAX_BORROWINGS', unset: 4, smallest: 1, movesMoney: false },
} as const;
