/** Shows the pictures of a run: flows, latencies, statuses, the map, the grid. */
import type { Report } from '../../../model/report.ts';
import { section } from '../components.ts';
import type { Markup } from '../markup.ts';
import { flowPicture } from '../pictures/flow.ts';
import { gridPicture } from '../pictures/grid.ts';
import { latencyPicture } from '../pictures/latency.ts';
import { mapPicture } from '../pictures/map.ts';
import { statusPicture } from '../pictures/statuses.ts';

/** Renders all pictures for which the run has data. */
export function picturesSection(report: Report): Markup | null {
  const pictures = [
    ...report.flows.map((flow) => flowPicture(flow, report)),
    latencyPicture(report),
    statusPicture(report),
    mapPicture(report),
    gridPicture(report),
  ].filter((picture) => picture !== null);
  if (pictures.length === 0) return null;
  return section('pictures', 'Pictures of the run')`${pictures}`;
}
