// The image's health check: every port that this container's roles open must answer.
const { ROLES = 'manager,gateway', MANAGER_PORT = '3701', GATEWAY_PORT = '3700' } = process.env;
const ports = { manager: MANAGER_PORT, gateway: GATEWAY_PORT };
const roles = ROLES.split(',').map((role) => role.trim());

const answers = await Promise.all(
  roles.map((role) =>
    fetch(`http://127.0.0.1:${ports[role]}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
);
process.exitCode = answers.every(Boolean) ? 0 : 1;
