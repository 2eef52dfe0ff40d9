/** Made from the contract by `npm run types`: do not edit. */
export interface Answers {
  validateLoan: ValidationAnswer;
  requestLoan: LoanAnswer;
  approveContract: ContractAnswer;
  disburse: DisbursementAnswer;
  queryDisbursement: OutcomeAnswer;
  listMerchants: MerchantsAnswer;
  listCurrencies: CurrenciesAnswer;
  listBranches: BranchesAnswer;
  listInstallments: InstallmentsAnswer;
  createPaymentLink: LinkAnswer;
  findAtms: AtmsByPositionAnswer;
}
interface ValidationAnswer {
  data: { result: string };
}
interface LoanAnswer {
  data: { application_id: string; result: string; infos: Offer[] };
}
interface Offer {
  account_id: string;
  account: string;
  avaliable_limit: string;
  interest_rate: string;
  interest_term: string;
  commission_rate: string;
}
interface ContractAnswer {
  data: { application_id: string };
}
interface DisbursementAnswer {
  data: { application_id: string };
}
interface OutcomeAnswer {
  data: { application_id: string; result: string };
  errors?: { message: string }[] | null;
}
interface MerchantsAnswer {
  data: {
    merchants: Merchant[];
    qr_max_amount: number;
    qr_max_amount_limit_message: string;
    editable: boolean;
    edit_message: string;
  };
}
interface Merchant {
  account_no: string;
  branch_code: number;
  merchant_name: string;
  merchant_no: number;
  branch_name: string;
}
interface CurrenciesAnswer {
  data: { currencies: { code: string }[] };
}
interface BranchesAnswer {
  data: { branches: { no: number; name: string }[] };
}
interface InstallmentsAnswer {
  data: { installments: { value: number; text: string }[] };
}
interface LinkAnswer {
  data: { order_id: string; payment_link: string; payment_token: string; is_success: boolean; end_date: string };
}
interface AtmsByPositionAnswer {
  data: (Atm & { atm_distance: number })[];
}
interface Atm {
  atm_address: string;
  atm_city: string;
  atm_district: string;
  atm_latitude: number;
  atm_longitude: number;
  atm_name: string;
  atm_no: string;
}
