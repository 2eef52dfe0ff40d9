/** Draws a map of the ATMs in the answer for one position, with rings of distance around the position. */
import { measureKm } from '../../../../openapi/util/geo.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../model/report.ts';
import { toOneLine, shorten } from '../../../text/sanitize.ts';
import { html, type Markup } from '../markup.ts';
import { linkEvidence, renderTable } from '../components.ts';
import { roundToTenth, renderFigure } from './svg.ts';

interface Atm {
  readonly name: string;
  readonly stated: string;
  readonly km: number;
  readonly east: number;
  readonly north: number;
}

const [size, middle, reach, MAX_SHOWN, MAX_RINGS] = [440, 220, 200, 60, 6];
/** An answer without an ATM within this many kilometres is not drawn. */
const MAX_NEAREST = 2_000;

/** Draws the answer with the most ATMs around its position. */
export function mapPicture(report: Report): Markup | null {
  const [seen] = Object.values(report.exchanges)
    .filter(({ operation, kind }) => operation === 'findAtms' && kind === 'positive')
    .map((record) => ({ record, atms: listAtms(record) }))
    .filter(({ atms }) => atms.some(({ km }) => km < MAX_NEAREST))
    .toSorted((a, b) => b.atms.length - a.atms.length || getFarthest(a.atms) - getFarthest(b.atms));
  if (seen === undefined) return null;
  const { record, atms } = seen;
  const { latitude, longitude } = record.request.asked;
  const step = getRingStep(getFarthest(atms));
  const count = Math.min(MAX_RINGS, Math.max(1, Math.ceil(getFarthest(atms) / step)));
  const rings = Array.from({ length: count }, (_, n) => (n + 1) * step);
  const scale = reach / Math.max(getFarthest(atms), count * step);
  const rows = atms.map(({ name, stated, km }, n) => ({ cells: [n + 1, name, stated, formatKm(km)] }));
  const list = renderTable(['No', 'ATM', { number: 'Distance stated' }, { number: 'Straight line' }], rows);
  return renderFigure({
    id: 'picture-map',
    title: `The ATMs found around ${latitude}, ${longitude}`,
    words: atms
      .map(({ name, stated, km }, n) => `${n + 1}: ${name}, stated ${stated}, ${formatKm(km)} away in a straight line.`)
      .join(' '),
    width: size,
    height: size,
    drawn: [
      ...rings.map(
        (km) =>
          html`<circle class="ring" cx="${middle}" cy="${middle}" r="${roundToTenth(km * scale)}"/><text class="axis" x="${middle}" y="${roundToTenth(middle - km * scale - 4)}" text-anchor="middle">${formatKm(km)}</text>`,
      ),
      html`<path class="centre" d="M${middle - 7} ${middle}h14M${middle} ${middle - 7}v14"/><text class="axis" x="${size - 14}" y="20" text-anchor="end">N ↑</text>`,
      ...atms.map(({ east, north }, n) => {
        const [x, y] = [roundToTenth(middle + east * scale), roundToTenth(middle - north * scale)];
        return html`<circle class="atm" cx="${x}" cy="${y}" r="4.5"/><text class="name" x="${x + 7}" y="${y + 4}">${n + 1}</text>`;
      }),
    ],
    below: html`<details><summary>The same as a list</summary>${list}</details><p class="small">${linkEvidence(report, record.id, 'The exchange')}</p>`,
  });
}

const getFarthest = (atms: readonly Atm[]): number => Math.max(...atms.map(({ km }) => km));

/** Returns 1, 2 or 5 times a power of ten, so that two to five rings fit. */
function getRingStep(km: number): number {
  const rough = Math.max(km, 0.05) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough) ?? power * 10;
}

const formatKm = (km: number): string => (km < 1 ? `${Math.round(km * 1000)} m` : `${Number(km.toPrecision(3))} km`);

function listAtms({ request, response }: ExchangeRecord): Atm[] {
  const [latitude, longitude] = [Number(request.asked['latitude']), Number(request.asked['longitude'])];
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return [];
  let data: unknown;
  try {
    data = (JSON.parse(response?.body ?? '') as { data?: unknown } | null)?.data;
  } catch {
    return [];
  }
  return (Array.isArray(data) ? data : []).slice(0, MAX_SHOWN).flatMap((one: unknown): Atm[] => {
    const atm = (one ?? {}) as Record<string, unknown>;
    const { atm_latitude: lat, atm_longitude: lon, atm_name: name = null, atm_distance: stated = null } = atm;
    if (typeof lat !== 'number' || typeof lon !== 'number' || Math.abs(lat) > 90 || Math.abs(lon) > 180) return [];
    const km = measureKm({ latitude, longitude }, { latitude: lat, longitude: lon });
    const turn = ((lon - longitude + 540) % 360) - 180;
    const east = turn * Math.cos(((lat + latitude) / 2) * (Math.PI / 180));
    // The map gives the direction, the sphere gives the distance.
    const flat = Math.hypot(east, lat - latitude) || 1;
    return [
      {
        name: shorten(toOneLine(typeof name === 'string' ? name : 'without a name'), 60),
        stated: shorten(toOneLine(JSON.stringify(stated)), 20),
        km,
        east: (east / flat) * km,
        north: ((lat - latitude) / flat) * km,
      },
    ];
  });
}
