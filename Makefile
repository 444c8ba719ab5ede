# The whole stack in containers. What the targets do is in scripts/stack.sh.
.PHONY: help up down status register clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

up: ## start all containers, wait until they answer, print their URLs
	@sh scripts/stack.sh up

down: ## stop all containers; data stay
	@sh scripts/stack.sh down

status: ## show the containers, the servers and the tool count
	@sh scripts/stack.sh status

register: ## register every config in configs/, then list the servers
	@sh scripts/stack.sh register

clean: ## remove all of it after asking: containers, volumes, networks; configs/, groups/ and .env stay
	@sh scripts/stack.sh clean
