/** Shows the pictures of a run: flows, latencies, statuses, the map, the grid. */
import type { Report } from '../../../model/report.ts';
import { openSection } from '../components.ts';
import type { Markup } from '../markup.ts';
import { drawFlow } from '../pictures/flow.ts';
import { drawGrid } from '../pictures/grid.ts';
import { drawLatency } from '../pictures/latency.ts';
import { mapPicture } from '../pictures/map.ts';
import { drawStatuses } from '../pictures/statuses.ts';

/** Renders all pictures for which the run has data. */
export function renderPictures(report: Report): Markup | null {
  const pictures = [
    ...report.flows.map((flow) => drawFlow(flow, report)),
    drawLatency(report),
    drawStatuses(report),
    mapPicture(report),
    drawGrid(report),
  ].filter((picture) => picture !== null);
  if (pictures.length === 0) return null;
  return openSection('pictures', 'Pictures of the run')`${pictures}`;
}
