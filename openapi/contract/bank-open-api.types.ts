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
  data: {
    /**
     * the text of a boolean
     */
    result: string;
  };
}
export interface LoanAnswer {
  data: {
    /**
     * decimal digits
     */
    application_id: string;
    /**
     * the text of a boolean
     */
    result: string;
    infos: Offer[];
  };
}
export interface Offer {
  /**
   * decimal digits
   */
  account_id: string;
  account: string;
  /**
   * a decimal number with exactly two decimals
   */
  avaliable_limit: string;
  /**
   * a decimal number with exactly five decimals
   */
  interest_rate: string;
  /**
   * one digit and one letter
   */
  interest_term: string;
  /**
   * a decimal number with exactly five decimals
   */
  commission_rate: string;
}
export interface ContractAnswer {
  data: {
    application_id: string;
  };
}
export interface DisbursementAnswer {
  data: {
    application_id: string;
  };
}
export interface OutcomeAnswer {
  data: {
    application_id: string;
    result: string;
  };
  errors?:
    | {
        /**
         * the letter R, three digits and a semicolon
         */
        message: string;
      }[]
    | null;
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
  data: {
    currencies: {
      /**
       * three letters
       */
      code: string;
    }[];
  };
}
export interface BranchesAnswer {
  data: {
    branches: {
      no: number;
      name: string;
    }[];
  };
}
export interface InstallmentsAnswer {
  data: {
    installments: {
      value: number;
      text: string;
    }[];
  };
}
export interface LinkAnswer {
  data: {
    /**
     * a UUID of 32 hexadecimal digits
     */
    order_id: string;
    /**
     * a URL reference
     */
    payment_link: string;
    payment_token: string;
    is_success: boolean;
    /**
     * a moment of the calendar, DD.MM.YYYY HH:MM:SS
     */
    end_date: string;
  };
}
export interface AtmsByPositionAnswer {
  data: (Atm & {
    atm_distance: number;
  })[];
}
export interface Atm {
  atm_address: string;
  atm_city: string;
  atm_district: string;
  atm_latitude: number;
  atm_longitude: number;
  atm_name: string;
  /**
   * decimal digits
   */
  atm_no: string;
}
