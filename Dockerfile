# Node 24 runs the TypeScript sources as they are: nothing is compiled, and one image serves as gateway and as manager.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
# Whoever owns groups/ and configs/ on the host, so that files written here belong to them there.
ARG APP_UID=1000
ARG APP_GID=1000
# The cache of compiled sources is in a volume: the second start takes half of the first.
ENV NODE_ENV=production HOME=/tmp NODE_COMPILE_CACHE=/app/.data/compile-cache
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY . .
RUN mkdir groups configs .data .secrets && chown "$APP_UID:$APP_GID" groups configs .data .secrets && chmod 700 .data .secrets
USER $APP_UID:$APP_GID
EXPOSE 3700 3701
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "bin/healthcheck.js"]
CMD ["node", "server.ts"]
