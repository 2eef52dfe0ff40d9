/** Requests of each area that can be repeated with fresh values, and with other headers. */
import { areas, type Created, type Reply, type Tools, type Values } from '../../fixtures/runner/index.ts';

/** A request that can be repeated with fresh values. */
export interface Request {
  /** What each request creates: the budget limits how many are in flight. */
  readonly creates?: Created;
  readonly ask: () => Promise<Reply>;
  /** Returns values for a request like the one that `control` answered. */
  readonly again: (control: Reply) => Values;
  /** Returns values for another such request, after those of `again` were accepted; by default those of `again`. */
  readonly later?: (control: Reply) => Values;
  /** The next request, which depends on this one. */
  readonly next?: Request;
}

/** Requests of each area, the harmless ones first. */
export const requestsByArea: Record<(typeof areas)[number], (tools: Tools) => Promise<readonly Request[]>> = {
  async loans({ bank, loans, run }) {
    const terms = await loans.terms();
    const values = (): Values => loans.values(terms);
    const query = (application_id: string): Request =>
      makeRepeatable({ application_id }, (of) => bank.queryDisbursement(of));
    const [known] = run.session.disbursed;
    const flow = listLoanSteps(loans, known === undefined ? query : undefined);
    const own = known ?? (flow.length > 0 ? null : await makeDisbursement(loans));
    return [
      { ask: () => loans.validate(terms), again: values },
      { creates: 'applications', ask: () => loans.request(values()), again: values },
      ...(own === null ? [] : [query(own)]),
      ...flow,
    ];
  },
  async 'payment-links'({ bank, links }) {
    const { combinations } = await links.catalogue();
    const [place] = combinations;
    const first = makeRepeatable({}, () => bank.listMerchants());
    if (place === undefined) return [first];
    const { installments: _, ...query } = place;
    const { merchant_no, is_domestic } = query;
    const terms = await links.small();
    return [
      first,
      makeRepeatable({ merchant_no, is_domestic }, (values) => bank.listCurrencies(values)),
      makeRepeatable({ merchant_no }, (values) => bank.listBranches(values)),
      makeRepeatable(query, (values) => bank.listInstallments(values)),
      ...(terms === undefined
        ? []
        : [
            {
              creates: 'links' as const,
              ask: () => links.create(terms),
              again: ({ exchange }: Reply) => ({
                ...links.values(terms),
                ...removeDescription(exchange.request.asked),
              }),
            },
          ]),
    ];
  },
  async atms({ bank, atms }) {
    const { latitude, longitude } = atms.starts()[0] ?? { latitude: '0', longitude: '0' };
    const [codes] = await atms.codes();
    return [
      makeRepeatable({ latitude, longitude }, (values) => bank.findAtms(values)),
      ...(codes === undefined ? [] : [makeRepeatable({ ...codes }, (values) => bank.findAtms(values))]),
    ];
  },
};

/**
 * Makes a contract and then a disbursement: the control uses one unused application, the probe another, and a later probe of the
 * contract a third. Then queries the first, if `query` is given.
 */
function listLoanSteps(loans: Tools['loans'], query?: (id: string) => Request): readonly Request[] {
  const [one, other, third] = loans.unused().flatMap((application) => {
    const [offer] = application.offers;
    return offer === undefined ? [] : [{ application, offer }];
  });
  if (one === undefined || other === undefined) return [];
  const contract = ({ application, offer }: typeof one): Values => ({
    application_id: application.id,
    account_id: offer.account,
  });
  return [
    {
      ask: () => loans.approve(one.application, one.offer),
      again: () => contract(other),
      later: () => contract(third ?? other),
      next: {
        creates: 'disbursements',
        async ask() {
          const [reply] = await Promise.all([
            loans.disburse(one.application, one.offer),
            loans.approve(other.application, other.offer),
          ]);
          return reply;
        },
        again: () => loans.disbursement(other.application, other.offer),
        ...(query === undefined ? {} : { next: query(one.application.id) }),
      },
    },
  ];
}

/** Makes an application with an outcome; returns its id, or null. */
export async function makeDisbursement(loans: Tools['loans']): Promise<string | null> {
  const terms = await loans.terms();
  const application = await loans.apply(terms);
  const offer = application?.offers[0];
  if (application === null || offer === undefined) return null;
  await loans.approve(application, offer);
  return (await loans.disburse(application, offer)).accepted ? application.id : null;
}

/** Makes a request that may repeat its values. */
const makeRepeatable = (values: Values, ask: (values: Values) => Promise<Reply>): Request => ({
  ask: () => ask(values),
  again: () => values,
});

const removeDescription = ({ personal_description: _, ...rest }: Values): Values => rest;
