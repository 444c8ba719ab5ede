// Types of what the service serves here from node_modules; this folder holds nothing else.
export * from 'preact';
