/** The ids of the API that is judged. */
export {
  areas,
  type Answers,
  type Area,
  type Created,
  type CreatedThing,
  type OperationId,
  type OperationWithoutInputs,
} from '#bank/ids';
