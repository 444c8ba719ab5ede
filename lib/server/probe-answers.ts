import { jsonResponse, textResponse } from '../http/responses.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ServiceInfo } from '../service-info.ts';

/** `GET /healthz`: the process answers. */
export function healthAnswer(): Response {
  return jsonResponse({ status: 'ok' });
}

/** `GET /readyz`: database reached and groups loaded, or why not yet. */
export async function readinessAnswer(service: Pick<ServiceInfo, 'notReadyBecause'>): Promise<Response> {
  const reason = await service.notReadyBecause();
  return reason === undefined
    ? jsonResponse({ status: 'ready' })
    : jsonResponse({ status: 'not ready', reason }, 503, { 'Retry-After': '1' });
}

/** `GET /metrics`: Prometheus text format. */
export async function metricsAnswer(metrics: Pick<Metrics, 'render'>): Promise<Response> {
  return textResponse(await metrics.render(), 'text/plain; version=0.0.4; charset=utf-8');
}
