import { textResponse } from '../http/responses.ts';
import type { Metrics } from '../observe/metrics.ts';

/** `GET /metrics`: Prometheus text format. */
export async function metricsAnswer(metrics: Pick<Metrics, 'render'>): Promise<Response> {
  return textResponse(await metrics.render(), 'text/plain; version=0.0.4; charset=utf-8');
}
