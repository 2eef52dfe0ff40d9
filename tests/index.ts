/** All scenarios, in the order in which they are told. */
import './atms/locator.ts';
import './loans/any-order.ts';
import './loans/applications.ts';
import './loans/checks.ts';
import './loans/flow.ts';
import './loans/unknown-entities.ts';
import './open-points/atms.ts';
import './open-points/loans.ts';
import './open-points/payment-links.ts';
import './payment-links/catalogue.ts';
import './payment-links/links.ts';
import './open-points/documented-requests.ts';
import './open-points/reproduce.ts';
import './open-points/credentials.ts';

export { scenarios } from '../fixtures/runner/index.ts';
