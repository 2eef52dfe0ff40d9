/** Interprets outcome texts of disbursements: says whether a disbursement is finished, from words or from later answers. */
import { groupBy } from '../../util/group-by.ts';
import { maskNumbers } from '../../util/truncate.ts';

/** Words that mean "not finished yet", in likely languages of banks. */
const PENDING_PATTERNS: readonly RegExp[] = [
  /\b(?:processing|being \w+|in process|in progress|under way|pending|awaiting|waiting|queued?|scheduled|received|under review|not yet)\b/iu,
  /islen(?:iyor|mekte)|sur(?:uyor|mekte)|bekl(?:iyor|emede|emekte)|inceleni|degerlendiril|devam e[dt](?!(?:il)?eme)|sirada|onayda|alin(?:di|mis)|kayit/u,
  /(?:gerceklestiril|yapil|kullandiril|tamamlan|aktaril|oden|hazirlan|onaylan)(?:iyor|mekte|makta)/u,
  /in bearbeitung|in prufung|wird (?:bearbeitet|gepruft)|ausstehend|en cours|en attente|en proceso|pendiente|в обработке|обрабатыва|ожида|处理中|処理中|قيد/u,
];

/** Words that mean "done" or "failed". */
const FINAL_PATTERNS: readonly RegExp[] = [
  /\b(?:ok\b|success|complet|made|paid|disbursed|credited|transferred|executed|effected|performed|processed|approved|granted|settled|booked|posted|finished|closed|done|fail|reject|declin|refus|cancel|could not)/iu,
  /gercekles|tamamla|basari|aktarildi|odendi|yapil|kullandir(?:il|im yap)|reddedil|iptal/u,
  /erfolgt|erfolgreich|ausgezahlt|abgeschlossen|effectue|termine|reussi|realizad|completad|concluid|efetuad|exito|sucesso|eseguit|riuscit|voltooid|uitgevoerd|zrealizowan|wykonan|выполнен|завершен|успешн|完了|完成|成功|実行済|تم /u,
];

/** Words about the future. A text with such a word may be final or not. */
const FUTURE_WORDS = /\b(?:(?:will|shall|to) be|follows|soon)\b/iu;

/** Converts a text to lower case without diacritics. Converts Turkish letters too. */
const simplifyText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').normalize('NFC');

/** True if an outcome text says that the disbursement is not finished. Two equal texts of this kind prove nothing. */
export function isPending(text: unknown): boolean {
  return typeof text === 'string' && PENDING_PATTERNS.some((pattern) => pattern.test(simplifyText(text)));
}

/** True if an outcome text says how the disbursement ended. False if the suite does not understand the text. */
export function isConclusive(text: unknown): boolean {
  if (typeof text !== 'string' || isPending(text) || FUTURE_WORDS.test(text)) return false;
  return FINAL_PATTERNS.some((pattern) => pattern.test(simplifyText(text)));
}

/** A query for an outcome. `values` are the inputs of the request. `at` is the time in milliseconds since the epoch. */
export interface OutcomeQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly sentAt: number;
}

/** A text is not final if it changed to another text for at least this many applications. */
const MIN_FOLLOWED_TIMES = 2;

/** Returns a test whether a text changed to another text in these queries. Such a text is not final, in any language. */
export function makeFollowedTest(queries: readonly OutcomeQuery[]): (text: unknown) => boolean {
  const answeredQueries = queries.filter(({ result }) => result !== undefined).toSorted((a, b) => a.sentAt - b.sentAt);
  const followedTexts = [
    ...groupBy(answeredQueries, ({ values }) => String(values['application_id'])).values(),
  ].flatMap((queriesOfApplication) => {
    const texts = queriesOfApplication.map(({ result }) => maskNumbers(String(result)));
    const lastText = texts.at(-1);
    return [...new Set(texts)].filter((text) => text !== lastText);
  });
  const followedByText = groupBy(followedTexts, (text) => text);
  return (text) =>
    typeof text === 'string' && (followedByText.get(maskNumbers(text))?.length ?? 0) >= MIN_FOLLOWED_TIMES;
}

/**
 * Returns a test whether a text says that the disbursement is not finished:
 * - yes if the words say so, no if the words say how the disbursement ended,
 * - for an unknown text, yes if other texts followed it in `queries`. This list may grow between two tests.
 */
export function makePendingTest(queries: readonly OutcomeQuery[]): (text: unknown) => boolean {
  let [wasFollowed, seenQueryCount] = [makeFollowedTest([]), 0];
  return (text) => {
    if (isPending(text) || isConclusive(text)) return isPending(text);
    if (queries.length > seenQueryCount) [wasFollowed, seenQueryCount] = [makeFollowedTest(queries), queries.length];
    return wasFollowed(text);
  };
}
