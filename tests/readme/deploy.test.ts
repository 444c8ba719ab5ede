import { documentSuite } from './document-suite.ts';

const noCluster = {
  skipped: 'there is no cluster here; tests/clients/kubernetes-schema.test.ts checks the manifests',
};
const noGateways = {
  skipped:
    'it wants gateways on ports of its own; tests/proxies/haproxy.test.ts starts the same file before real ones',
};
const noSwarm = {
  skipped:
    'it would make a swarm of whoever runs the tests; tests/swarm/ deploys the same stack, and updates it',
};

const suites = [
  documentSuite({
    path: 'deploy/kubernetes/README.md',
    commands: [
      ['kubectl create namespace svc-mcp', noCluster],
      [
        'kubectl create secret generic svc-mcp -n svc-mcp --from-literal=database-url="$DATABASE_URL" \\\n  --from-literal=admin-token="$(openssl rand -hex 32)" --from-literal=gateway-token="$(openssl rand -hex 32)"',
        noCluster,
      ],
    ],
  }),
  documentSuite({
    path: 'deploy/proxies/README.md',
    commands: [
      [
        "sed 's/gateway-\\([123]\\):3700/127.0.0.1:371\\1/; s/bind :8080/bind 127.0.0.1:8080/' haproxy.cfg > /tmp/haproxy.cfg",
        noGateways,
      ],
      ['haproxy -W -f /tmp/haproxy.cfg &', noGateways],
      ['curl -s http://localhost:8080/readyz', noGateways],
    ],
  }),
  documentSuite({
    path: 'deploy/swarm/README.md',
    commands: [
      ['docker build -t svc-mcp:0.1.0 --build-arg APP_UID=1000 --build-arg APP_GID=1000 ../..', noSwarm],
      ['docker node update --label-add svc-mcp-manager=true NODE', noSwarm],
      [
        `printf '%s\\n' "DATABASE_URL='postgres://user:password@host/database'" "GATEWAY_TOKEN='…'" "ADMIN_TOKEN='…'" |\n  docker secret create svc_mcp_settings -`,
        noSwarm,
      ],
      ['SVC_MCP_HOSTS=gateway.example docker stack deploy -c stack.yml svc-mcp', noSwarm],
      ['curl http://NODE:8080/readyz', noSwarm],
      ['docker service update --image svc-mcp:0.2.0 svc-mcp_manager', noSwarm],
      ['docker service update --image svc-mcp:0.2.0 svc-mcp_gateway', noSwarm],
    ],
  }),
];

for (const test of suites) test.run();
