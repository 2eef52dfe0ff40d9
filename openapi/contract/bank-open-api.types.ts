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
export interface ValidationAnswer {
  data: { result: string };
}
export interface LoanAnswer {
  data: { application_id: string; result: string; infos: Offer[] };
}
export interface Offer {
  account_id: string;
  account: string;
  avaliable_limit: string;
  interest_rate: string;
  interest_term: string;
  commission_rate: string;
}
export interface ContractAnswer {
  data: { application_id: string };
}
export interface DisbursementAnswer {
  data: { application_id: string };
}
export interface OutcomeAnswer {
  data: { application_id: string; result: string };
  errors?: { message: string }[] | null;
}
export interface MerchantsAnswer {
  data: {
    merchants: Merchant[];
    qr_max_amount: number;
    qr_max_amount_limit_message: string;
    editable: boolean;
    edit_message: string;
  };
}
export interface Merchant {
  account_no: string;
  branch_code: number;
  merchant_name: string;
  merchant_no: number;
  branch_name: string;
}
export interface CurrenciesAnswer {
  data: { currencies: { code: string }[] };
}
export interface BranchesAnswer {
  data: { branches: { no: number; name: string }[] };
}
export interface InstallmentsAnswer {
  data: { installments: { value: number; text: string }[] };
}
export interface LinkAnswer {
  data: { order_id: string; payment_link: string; payment_token: string; is_success: boolean; end_date: string };
}
export interface AtmsByPositionAnswer {
  data: (Atm & { atm_distance: number })[];
}
export interface Atm {
  atm_address: string;
  atm_city: string;
  atm_district: string;
  atm_latitude: number;
  atm_longitude: number;
  atm_name: string;
  atm_no: string;
}
